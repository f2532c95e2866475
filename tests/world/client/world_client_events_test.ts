import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorldApiError } from "../../../lib/world/client/world_api_error.ts";
import { WorldClient } from "../../../lib/world/client/world_client.ts";

type Answer = () => Response | Promise<Response>;

const lost: Answer = () => Promise.reject(new TypeError("fetch failed"));

function refusal(status: number): Answer {
  const error = { message: "Cannot accept the request", type: "authentication_error", code: "invalid_api_key" };
  return () => Response.json({ error }, { status });
}

/** A stream of events with these ids that then ends or breaks. */
function stream(ids: readonly string[], end: "close" | "break" = "close"): Answer {
  return () => {
    const text = ids.map((id) => `id: ${id}\nevent: job\ndata: {}\n\n`).join("");
    const parts = [new TextEncoder().encode(text)];
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const part = parts.shift();
        if (part) controller.enqueue(part);
        else if (end === "close") controller.close();
        else controller.error(new Error("connection reset"));
      },
    }, { highWaterMark: 0 });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

function scripted(answers: readonly Answer[]) {
  const requests: Request[] = [];
  const waits: number[] = [];
  const described: string[] = [];
  const client = new WorldClient("http://127.0.0.1:8791", {
    apiKey: "s3cret",
    fetch: async (request) => {
      requests.push(request);
      return await answers[requests.length - 1]();
    },
    wait: (milliseconds, signal) => {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      return Promise.resolve();
    },
  });
  const options = {
    onOpen: () => described.push("open"),
    onLost: (error: WorldApiError) => described.push(error.code),
  };
  return { client, requests, waits, described, options };
}

async function ids(events: AsyncIterable<{ id: string }>, count: number): Promise<string[]> {
  const seen: string[] = [];
  for await (const { id } of events) {
    seen.push(id);
    if (seen.length === count) break;
  }
  return seen;
}

test("WorldClient.events() asks with the key, and after a loss for what follows the last event", async () => {
  const { client, requests, described, options } = scripted([stream(["e.1", "e.2"], "break"), lost, stream(["e.3"])]);
  assert.deepEqual(await ids(client.events(options), 3), ["e.1", "e.2", "e.3"]);
  assert.deepEqual(requests.map((request) => request.headers.get("last-event-id")), [null, "e.2", "e.2"]);
  assert.ok(requests.every((request) => request.headers.get("authorization") === "Bearer s3cret"));
  assert.deepEqual(described, ["open", "unreachable", "unreachable", "open"]);
});

test("WorldClient.events() waits longer after each attempt that brings nothing, and little after one that does", async () => {
  const nothing = Array.from({ length: 6 }, () => stream([]));
  const { client, waits } = scripted([stream(["e.1"]), ...nothing, stream(["e.2"]), stream(["e.3"])]);
  assert.deepEqual(await ids(client.events(), 3), ["e.1", "e.2", "e.3"]);
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 5000, 5000, 250]);
});

test("WorldClient.events() continues when the server fails for a while", async () => {
  const { client, described, options } = scripted([
    stream(["e.1"]),
    () => new Response("", { status: 503 }),
    stream(["e.2"]),
  ]);
  assert.deepEqual(await ids(client.events(options), 2), ["e.1", "e.2"]);
  assert.equal(described.filter((what) => what === "open").length, 2);
});

test("WorldClient.events() throws without a server at first, and when the server refuses", async () => {
  await assert.rejects(ids(scripted([lost]).client.events(), 1), { code: "unreachable" });
  await assert.rejects(ids(scripted([refusal(401)]).client.events(), 1), { status: 401, code: "invalid_api_key" });
  const later = scripted([stream(["e.1"]), refusal(429)]);
  await assert.rejects(ids(later.client.events(), 2), { status: 429 });
});

test("WorldClient.events() refuses an answer that is not an event stream", async () => {
  const { client } = scripted([() => new Response("<html>", { headers: { "content-type": "text/html" } })]);
  await assert.rejects(ids(client.events(), 1), { status: 200, code: "unexpected_response" });
});

test("WorldClient.events() ends with the signal's reason when aborted, while it reads and while it waits", async () => {
  const reason = new Error("enough");
  const reading = new AbortController();
  const { client } = scripted([() => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => reading.signal.addEventListener("abort", () => controller.error(reason)),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }]);
  const waiting = ids(client.events({ signal: reading.signal, onOpen: () => reading.abort(reason) }), 1);
  await assert.rejects(waiting, (error) => error === reason);
  const between = new AbortController();
  const broken = scripted([stream([])]);
  const onLost = () => between.abort(reason);
  await assert.rejects(ids(broken.client.events({ signal: between.signal, onLost }), 1), (error) => error === reason);
});
