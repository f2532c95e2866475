import assert from "node:assert/strict";
import { test } from "node:test";
import type { RpcPort } from "../../lib/platform/rpc/rpc_port.ts";
import { answerThrough, fetchThrough } from "../../site/world/request_channel.ts";

type Handler = (request: Request) => Promise<Response>;

/** Node 20 has no Promise.withResolvers. */
function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((made) => resolve = made);
  return { promise, resolve };
}

/** One end of a channel. */
function portOf(port: MessagePort): RpcPort {
  return {
    send: (message, transfer = []) => port.postMessage(message, [...transfer]),
    onMessage: (listener) => void (port.onmessage = ({ data }) => listener(data)),
  };
}

async function withChannel(handler: Handler, use: (ask: Handler) => Promise<void>): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  try {
    answerThrough(portOf(port2), handler);
    await use(fetchThrough(portOf(port1)));
  } finally {
    port1.close();
    port2.close();
  }
}

test("a request and its answer pass the channel whole: method, address, headers, body, status", () =>
  withChannel(async (request) => {
    const { method, url } = request;
    const text = await request.text();
    return Response.json({ method, url, text, kind: request.headers.get("x-kind") }, {
      status: 202,
      headers: { "x-answer": "yes" },
    });
  }, async (ask) => {
    const url = "http://127.0.0.1/v1/moves?n=1";
    const answers = await Promise.all(
      ["one", "two"].map((body) => ask(new Request(url, { method: "POST", body, headers: { "x-kind": body } }))),
    );
    for (const [i, text] of ["one", "two"].entries()) {
      assert.equal(answers[i].status, 202);
      assert.equal(answers[i].headers.get("x-answer"), "yes");
      assert.deepEqual(await answers[i].json(), { method: "POST", url, text, kind: text });
    }
  }));

test("a body arrives piece by piece, before it has ended", async () => {
  let send!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (send = controller) });
  await withChannel(() => Promise.resolve(new Response(body)), async (ask) => {
    const reader = (await ask(new Request("http://127.0.0.1/"))).body!.getReader();
    for (const byte of [1, 2]) {
      send.enqueue(new Uint8Array([byte]));
      assert.deepEqual(await reader.read(), { done: false, value: new Uint8Array([byte]) });
    }
    send.close();
    assert.equal((await reader.read()).done, true);
  });
});

test("an answer without a body stays without one", () =>
  withChannel(() => Promise.resolve(new Response(null, { status: 204 })), async (ask) => {
    const answer = await ask(new Request("http://127.0.0.1/", { method: "DELETE" }));
    assert.deepEqual([answer.status, answer.body], [204, null]);
  }));

test("a handler that throws rejects the request, and one that breaks off its body fails the reader", () =>
  withChannel((request) => {
    if (request.url.endsWith("/throws")) return Promise.reject(new Error("no handler"));
    return Promise.resolve(new Response(new ReadableStream({ pull: (to) => to.error(new Error("cut off")) })));
  }, async (ask) => {
    await assert.rejects(ask(new Request("http://127.0.0.1/throws")), /no handler/);
    await assert.rejects((await ask(new Request("http://127.0.0.1/breaks"))).text(), /cut off/);
  }));

test("aborting and cancelling reach the handler", async () => {
  const { promise: cancelled, resolve: onCancel } = withResolvers();
  const { promise: aborted, resolve: onAbort } = withResolvers();
  const handler: Handler = ({ url, signal }) => {
    if (url.endsWith("/late")) {
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          onAbort();
          reject(signal.reason);
        })
      );
    }
    const start = (to: ReadableStreamDefaultController<Uint8Array>): void => to.enqueue(new Uint8Array(1));
    return Promise.resolve(new Response(new ReadableStream({ start, cancel: onCancel })));
  };
  await withChannel(handler, async (ask) => {
    const reader = (await ask(new Request("http://127.0.0.1/read"))).body!.getReader();
    await reader.read();
    await reader.cancel();
    await cancelled;

    const abort = new AbortController();
    const { signal } = abort;
    const refused = assert.rejects(ask(new Request("http://127.0.0.1/late", { signal })), { name: "AbortError" });
    await ask(new Request("http://127.0.0.1/read")); // the late one has been asked before
    abort.abort();
    await refused;
    await aborted;
    await assert.rejects(ask(new Request("http://127.0.0.1/", { signal })), { name: "AbortError" });
  });
});
