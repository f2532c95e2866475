import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { listen } from "../../lib/platform/sockets/listen.ts";
import { deferred } from "../support/world_harness.ts";

test("listen() serves on any free port and reports the peer", async () => {
  const server = await listen((request, peer) => Promise.resolve(new Response(`${request.method} ${peer}`)), {
    host: "127.0.0.1",
    port: 0,
  });
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(await (await fetch(server.url)).text(), "GET 127.0.0.1");
  await server.close(1000);
  await assert.rejects(fetch(server.url));
});

test("listen() says why an address cannot be used", async () => {
  const first = await listen(() => Promise.resolve(new Response()), { host: "127.0.0.1", port: 0 });
  const port = Number(new URL(first.url).port);
  await assert.rejects(
    listen(() => Promise.resolve(new Response()), { host: "127.0.0.1", port }),
    /the port is in use/,
  );
  await first.close(1000);
});

test("listen() lets an open response finish when it is closed", async () => {
  const begun = deferred();
  const gate = deferred();
  const server = await listen(async () => {
    begun.resolve();
    await gate.promise;
    return new Response("done");
  }, { host: "127.0.0.1", port: 0 });
  const response = fetch(server.url);
  await begun.promise;
  const closed = server.close(10_000);
  gate.resolve();
  assert.equal(await (await response).text(), "done");
  await closed;
});

test("listen() cuts off a response that does not finish in time", async () => {
  const begun = deferred();
  const server = await listen(() => {
    begun.resolve();
    return new Promise<Response>(() => {});
  }, { host: "127.0.0.1", port: 0 });
  const response = fetch(server.url).then((r) => r.status, () => 503);
  await begun.promise;
  await server.close(1);
  assert.equal(await response, 503);
});

test("listen() ends the stream of a client that disconnects", async () => {
  const cancelled = deferred();
  const server = await listen(() => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65536)),
      cancel: () => cancelled.resolve(),
    });
    return Promise.resolve(new Response(body));
  }, { host: "127.0.0.1", port: 0 });
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  socket.once("data", () => socket.destroy());
  await cancelled.promise;
  await server.close(1000);
});

test("listen() does not wait for connections that have asked for nothing", async () => {
  const server = await listen(() => Promise.resolve(new Response()), { host: "127.0.0.1", port: 0 });
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  const ended = new Promise((resolve) => socket.once("close", resolve));
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  assert.equal(await (await fetch(server.url)).text(), ""); // the server has taken the connection before this one
  const begin = performance.now();
  await server.close(20_000);
  assert.ok(performance.now() - begin < 10_000);
  socket.destroy();
  await ended;
});

test("listen() keeps the length of what HEAD asks for", async () => {
  const server = await listen(
    () => Promise.resolve(new Response(null, { headers: { "content-length": "1234" } })),
    { host: "127.0.0.1", port: 0 },
  );
  const response = await fetch(server.url, { method: "HEAD" });
  assert.equal(response.headers.get("content-length"), "1234");
  await server.close(1000);
});
