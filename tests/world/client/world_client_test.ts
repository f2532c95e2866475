import assert from "node:assert/strict";
import { test } from "node:test";
import { WorldApiError } from "../../../lib/world/client/world_api_error.ts";
import { WorldClient } from "../../../lib/world/client/world_client.ts";

type Answer = (request: Request) => Response | Promise<Response>;

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

function chunk(index: number): Record<string, unknown> {
  return { block_index: index, media_path: `/v1/world/jobs/j/media/chunks/${index}` };
}

function job(status: string, chunks = 0, more: Record<string, unknown> = {}): Record<string, unknown> {
  const list = Array.from({ length: chunks }, (_, index) => chunk(index));
  return { job_id: "j", kind: "rollout", status, progress_events: [], chunks: list, ...more };
}

/** A client whose requests are answered by a script, one entry each, and noted down. */
function scripted(answers: readonly Answer[], options: { apiKey?: string } = {}) {
  const requests: Request[] = [];
  const waits: number[] = [];
  const client = new WorldClient("http://127.0.0.1:8791/", {
    ...options,
    fetch: (request) => {
      requests.push(request);
      const answer = answers[requests.length - 1];
      assert.ok(answer, `no answer for request ${requests.length}: ${request.method} ${request.url}`);
      return Promise.resolve(answer(request));
    },
    wait: (milliseconds, signal) => {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      return Promise.resolve();
    },
  });
  return { client, requests, waits };
}

function isApiError(expected: Record<string, unknown>): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof WorldApiError);
    for (const [key, value] of Object.entries(expected)) {
      assert.deepEqual(error[key as keyof WorldApiError], value, key);
    }
    return true;
  };
}

test("WorldClient sends the bearer token with every request when it has a key", async () => {
  const { client, requests } = scripted([() => json({ object: "world.session" })], { apiKey: "s3cret" });
  await client.session();
  assert.equal(requests[0]?.headers.get("authorization"), "Bearer s3cret");
  assert.equal(requests[0]?.url, "http://127.0.0.1:8791/v1/world/session");
});

test("WorldClient.health() refuses a server that is not a world server", async () => {
  const { client } = scripted([() => json({ object: "list" }), () => new Response("<html>"), () => json({}, 404)]);
  await assert.rejects(client.health(), isApiError({ code: "unexpected_response", status: 200 }));
  await assert.rejects(client.health(), isApiError({ code: "unexpected_response", status: 200 }));
  await assert.rejects(client.health(), isApiError({ code: "unexpected_response", status: 404 }));
});

test("WorldClient throws WorldApiError with status, code, param and request id when the server refuses", async () => {
  const error = { message: "Cannot start", type: "invalid_request_error", code: "invalid_value", param: "width" };
  const { client } = scripted([() => json({ error }, 400, { "x-request-id": "r-1" })]);
  await assert.rejects(
    client.startRollout({ prompt: "p", actionSeq: ["w"] }),
    isApiError({ ...error, status: 400, requestId: "r-1" }),
  );
});

test("WorldClient says that the server is unreachable when the connection fails", async () => {
  const { client } = scripted([() => Promise.reject(new TypeError("fetch failed"))]);
  await assert.rejects(client.session(), isApiError({ code: "unreachable", status: 0 }));
});

test("WorldClient says that the server is unreachable when the connection breaks within a file", async () => {
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error("reset")) });
  const { client } = scripted([() => new Response(broken)]);
  await assert.rejects(client.output("j"), isApiError({ code: "unreachable", status: 0 }));
});

test("WorldClient throws the signal's reason when a request is aborted", async () => {
  const { client } = scripted([(request) => Promise.reject(request.signal.reason)]);
  const reason = new Error("enough");
  await assert.rejects(client.session({ signal: AbortSignal.abort(reason) }), (error) => error === reason);
});

test("WorldClient.uploadSource() sends the bytes under their image type, or as an octet stream", async () => {
  const { client, requests } = scripted([() => json({}), () => json({})]);
  await client.uploadSource(new Uint8Array([1, 2, 3]));
  await client.uploadSource(new Blob([new Uint8Array([4])], { type: "image/png" }));
  assert.deepEqual(requests.map((request) => request.headers.get("content-type")), [
    "application/octet-stream",
    "image/png",
  ]);
  assert.deepEqual(new Uint8Array(await requests[0]!.arrayBuffer()), new Uint8Array([1, 2, 3]));
});

test("WorldClient.reset() sends a source image only when there is one", async () => {
  const { client, requests } = scripted([() => json({}), () => json({})]);
  await client.reset();
  await client.reset("a.png");
  assert.equal(await requests[0]!.text(), "");
  assert.deepEqual(await requests[1]!.json(), { source_image: "a.png" });
});

test("WorldClient.awaitJob() reports each change once and returns the completed record", async () => {
  const { client } = scripted(
    [job("queued"), job("generating"), job("generating"), job("generating", 1), job("completed", 1)]
      .map((record) => () => json(record)),
  );
  const seen: string[] = [];
  const record = await client.awaitJob("j", { onProgress: (now) => seen.push(`${now.status} ${now.chunks.length}`) });
  assert.deepEqual(seen, ["queued 0", "generating 0", "generating 1", "completed 1"]);
  assert.equal(record.status, "completed");
});

test("WorldClient.awaitJob() asks less and less often while nothing changes, and often again after a change", async () => {
  const still = Array.from({ length: 20 }, () => job("generating"));
  const { client, waits } = scripted([...still, job("generating", 1), job("completed", 1)].map((r) => () => json(r)));
  await client.awaitJob("j");
  const quiet = waits.slice(0, 20);
  assert.ok(quiet.every((wait, index) => index === 0 || wait >= quiet[index - 1]!));
  assert.equal(quiet[0], 10);
  assert.equal(quiet[19], 250);
  assert.equal(waits[20], 10);
});

test("WorldClient.awaitJob() throws the job's own error when it failed", async () => {
  const error = { message: "Cannot continue", type: "server_error", code: "device_lost" };
  const { client } = scripted([() => json(job("failed", 0, { error }))]);
  await assert.rejects(client.awaitJob("j"), isApiError({ message: "Cannot continue", code: "device_lost" }));
});

test("WorldClient.awaitJob() throws job_cancelled when the job was cancelled", async () => {
  const { client } = scripted([() => json(job("cancelled"))]);
  await assert.rejects(client.awaitJob("j"), isApiError({ code: "job_cancelled" }));
});

test("WorldClient.awaitJob() ends with the signal's reason and leaves the job alone when aborted", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const { client, requests } = scripted([() => json(job("generating"))]);
  const waiting = client.awaitJob("j", { signal: controller.signal, onProgress: () => controller.abort(reason) });
  await assert.rejects(waiting, (error) => error === reason);
  assert.deepEqual(requests.map((request) => request.method), ["GET"]);
});

test("WorldClient.chunks() yields each chunk once, in order, while the job runs", async () => {
  const file: Answer = (request) => new Response(new URL(request.url).pathname.slice(-1));
  const record = (value: unknown): Answer => () => json(value);
  const { client } = scripted([
    record(job("generating", 1)),
    file,
    record(job("generating", 1)),
    record(job("completed", 3)),
    file,
    file,
  ]);
  const got: string[] = [];
  for await (const { chunk, bytes } of client.chunks("j")) {
    got.push(`${chunk.blockIndex}:${new TextDecoder().decode(bytes)}`);
  }
  assert.deepEqual(got, ["0:0", "1:1", "2:2"]);
});

test("WorldClient.chunks() throws after the chunks that were made when the job fails", async () => {
  const error = { message: "Cannot continue", type: "server_error", code: "device_lost" };
  const { client } = scripted([() => json(job("failed", 1, { error })), () => new Response("x")]);
  const got: number[] = [];
  await assert.rejects(async () => {
    for await (const { chunk } of client.chunks("j")) got.push(chunk.blockIndex);
  }, isApiError({ code: "device_lost" }));
  assert.deepEqual(got, [0]);
});

test("WorldClient.cancel() asks with DELETE for the job's end", async () => {
  const { client, requests } = scripted([() => json(job("cancelling"), 202)]);
  assert.equal((await client.cancel("j")).status, "cancelling");
  assert.equal(requests[0]?.method, "DELETE");
});
