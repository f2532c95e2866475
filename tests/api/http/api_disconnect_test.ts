import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { listen } from "../../../lib/platform/sockets/listen.ts";
import { type ApiHarness, type ApiHarnessOptions, CHAT, withApi } from "../../support/api_harness.ts";
import { deferred } from "../../support/world_harness.ts";

/** A real server around a fake model, since how connections end is the runtime's part. */
function withServer(options: ApiHarnessOptions, work: (h: ApiHarness, port: number) => Promise<void>): Promise<void> {
  return withApi(options, async (h) => {
    const server = await listen(h.app, { host: "127.0.0.1", port: 0 });
    try {
      await work(h, Number(new URL(server.url).port));
    } finally {
      await server.close(100);
    }
  });
}

/** Sends a chat on a socket of its own; the function that this gives cuts it off. */
async function send(port: number, body: Record<string, unknown>): Promise<() => Promise<void>> {
  const text = JSON.stringify({ ...CHAT, ...body });
  const socket = connect(port, "127.0.0.1");
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  socket.resume();
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    `host: 127.0.0.1:${port}`,
    "content-type: application/json",
    `content-length: ${text.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${text}`);
  return async () => {
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.destroy();
    await closed;
  };
}

/** Waits for what the runtime does in its own time. */
async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const begin = performance.now(); !await isSo();) {
    assert.ok(performance.now() - begin < 10_000, `${what} within 10 s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

for (const stream of [false, true]) {
  const kind = stream ? "streamed" : "whole";
  // @row model-api > Runtime status > `admission` with its queue and its requests => whole
  // @row model-api > Rules of the model API > A client that disconnects frees its slot => streamed
  test(`a client that disconnects before the first token of a ${kind} answer frees its slot`, () => {
    const hold = deferred();
    return withServer({ answer: () => ({ hold: { at: "start", until: hold.promise } }) }, async (h, port) => {
      const cut = await send(port, { stream });
      await until("the chat begins", () => h.chats.get("chat-a")?.active === 1);
      await cut();
      await until("the slot is free", async () => (await h.api.status()).admission.activeRequests === 0);
      assert.equal(h.chats.get("chat-a")?.active, 0);
      const { admission } = await h.api.status();
      assert.deepEqual([admission.totalCancelledRequests, admission.totalCompletedRequests], [1, 0]);
      assert.match(admission.lastClientDisconnectAt ?? "", /^\d{4}-/);
      assert.deepEqual(h.errors, []);
    });
  });
}

// @row model-api > Rules of the model API > A client that disconnects frees its slot
test("a client that disconnects in the middle of a stream frees its slot", () => {
  const hold = deferred();
  return withServer({ answer: () => ({ hold: { at: "end", until: hold.promise } }) }, async (h, port) => {
    const cut = await send(port, { stream: true });
    await until("text has been sent", () => h.answers.some(({ status }) => status === 200));
    await cut();
    await until("the slot is free", async () => (await h.api.status()).admission.activeRequests === 0);
    assert.equal(h.chats.get("chat-a")?.calls[0]?.signal.aborted, true);
    assert.deepEqual(h.errors, []);
  });
});

// @row model-api > Engine behavior > 1: queued clients that disconnect leave the queue
test("a client that disconnects while it waits leaves the queue", () => {
  const hold = deferred();
  return withServer({ answer: () => ({ hold: { at: "start", until: hold.promise } }) }, async (h, port) => {
    const first = await send(port, {});
    await until("the first has the slot", () => h.chats.get("chat-a")?.active === 1);
    const second = await send(port, { stream: true });
    await until("the second waits", async () => (await h.api.status()).admission.queuedRequests === 1);
    await second();
    await until("nobody waits", async () => (await h.api.status()).admission.queuedRequests === 0);
    assert.equal(h.chats.get("chat-a")?.calls.length, 1);
    await first();
    await until("the slot is free", async () => (await h.api.status()).admission.activeRequests === 0);
  });
});

// @row model-api > Rules of the model API > A client that disconnects frees its slot
test("a client that disconnects while the model loads ends the load", () =>
  withServer({}, async (h, port) => {
    h.startGate = new Promise(() => {});
    const cut = await send(port, {});
    await until("the load begins", () => h.starts.length === 1);
    await cut();
    await until("nothing is active", async () => (await h.api.status()).admission.activeRequests === 0);
    assert.deepEqual(h.errors, []);
  }));

test("200 clients that disconnect at any time leave no slot behind", () =>
  withServer({ maxActiveRequests: 4, maxQueuedRequests: 1000 }, async (h, port) => {
    for (let round = 0; round < 10; round++) {
      const cuts = await Promise.all(Array.from({ length: 20 }, (_, i) => send(port, { stream: i % 2 === 0 })));
      await Promise.all(cuts.map((cut) => cut()));
    }
    await until("nothing is active", async () => {
      const { admission } = await h.api.status();
      return admission.activeRequests + admission.queuedRequests === 0;
    });
    assert.equal((await h.chat()).status, 200);
    assert.deepEqual(h.errors, []);
  }));
