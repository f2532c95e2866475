import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { descriptorLimit } from "../../lib/platform/machine/descriptor_limit.ts";
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  connectionsWithin,
  listen,
  type Listening,
} from "../../lib/platform/sockets/listen.ts";
import { programOf, ROOT } from "../support/program_arguments.ts";
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

/** A raw connection that has sent something. */
function client(server: Listening, text: string): { readonly socket: Socket; readonly closed: Promise<void> } {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.resume(); // what is not read hides the end
  socket.write(text);
  return { socket, closed: new Promise((resolve) => socket.once("close", () => resolve())) };
}

async function withLimits(
  limits: Partial<ConnectionLimits>,
  handler: (request: Request) => Promise<Response>,
  work: (server: Listening) => Promise<void>,
): Promise<void> {
  const server = await listen(handler, { host: "127.0.0.1", port: 0, limits: { ...CONNECTION_LIMITS, ...limits } });
  try {
    await work(server);
  } finally {
    await server.close(1000);
  }
}

const echo = async (request: Request): Promise<Response> => new Response(await request.text().catch(() => "broken"));

test("listen() gives up clients that send no headers, no body or no next request", () =>
  withLimits({ headers: 300, request: 600, stall: 300, idle: 300 }, echo, async (server) => {
    const begin = performance.now();
    const body = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc";
    const slow = ["", "GET / HTTP/1.1\r\nHost: a\r\n", body, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"].map((text) =>
      client(server, text)
    );
    const drip = client(server, body);
    const drops = setInterval(() => drip.socket.write("d"), 250); // never silent for long, and never done
    await Promise.all([...slow, drip].map(({ closed }) => closed));
    clearInterval(drops);
    assert.ok(performance.now() - begin < 20_000);
  }));

test("listen() gives up a client that does not take its answer, and none that waits for one", () => {
  const cancelled = deferred();
  const late = deferred();
  return withLimits({ stall: 300 }, async ({ url }) => {
    if (url.endsWith("/late")) {
      await late.promise;
      return new Response("late");
    }
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(65536));
    return new Response(new ReadableStream({ pull, cancel: () => cancelled.resolve() }));
  }, async (server) => {
    const waiting = fetch(`${server.url}/late`);
    const { socket } = client(server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    socket.pause();
    await cancelled.promise;
    late.resolve();
    assert.equal(await (await waiting).text(), "late");
    socket.destroy();
  });
});

test("listen() answers within a second while 400 slow clients hold connections", () =>
  withLimits({ headers: 1000, stall: 1000, idle: 1000 }, echo, async (server) => {
    const starts = ["", "GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1"];
    const slow = Array.from({ length: 400 }, (_, i) => client(server, starts[i % 3]));
    await Promise.all(slow.map(({ socket }) => new Promise((done) => socket.once("connect", done))));
    let longest = 0;
    for (let i = 0; i < 10; i++) {
      const begin = performance.now();
      assert.equal((await fetch(server.url)).status, 200);
      longest = Math.max(longest, performance.now() - begin);
    }
    assert.ok(longest < 1000, `an answer took ${longest} ms`);
    await Promise.all(slow.map(({ closed }) => closed));
  }));

test("listen() closes connections beyond its limit, and takes new ones when others end", () =>
  withLimits({ connections: 20 }, echo, async (server) => {
    const held = Array.from({ length: 20 }, () => client(server, "GET / HTTP/1.1\r\n"));
    await Promise.all(held.map(({ socket }) => new Promise((done) => socket.once("connect", done))));
    await Promise.all(Array.from({ length: 20 }, () => client(server, "").closed));
    for (const { socket } of held) socket.destroy();
    await Promise.all(held.map(({ closed }) => closed));
    let status: number | undefined;
    for (let i = 0; i < 100 && status === undefined; i++) {
      status = await fetch(server.url).then((response) => response.status, () => undefined);
    }
    assert.equal(status, 200);
  }));

test("listen() says 408 to clients that are too slow, and 400 after a first answer too", () =>
  withLimits({ headers: 300, request: 600, stall: 400, idle: 300 }, echo, async (server) => {
    const port = Number(new URL(server.url).port);
    const exchange = (...parts: readonly string[]): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(port, "127.0.0.1");
        const rest = [...parts];
        let answer = "";
        socket.on("data", (data) => {
          answer += data;
          if (rest.length > 0) socket.write(rest.shift()!);
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve(answer));
        socket.write(rest.shift()!);
      });
    const late = /^HTTP\/1\.1 408 .*\r\nContent-Type: application\/json\r\n.*"code":"request_timeout"/s;
    const [silent, head, body, second] = await Promise.all([
      exchange(""),
      exchange("GET / HTTP/1.1\r\nHost: localhost\r\n"),
      exchange("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc"),
      exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "nothing of the kind\r\n\r\n"),
    ]);
    assert.equal(silent, "");
    assert.match(head, late);
    assert.match(body, late);
    assert.match(second, /^HTTP\/1\.1 200 .*HTTP\/1\.1 400 .*"code":"malformed_request"/s);
  }));

test("listen() leaves descriptors for what is not a connection", async () => {
  assert.deepEqual([160, 1024, 65_536, 1, undefined].map(connectionsWithin), [80, 768, 65_280, 1, Infinity]);
  const limit = await descriptorLimit();
  if (process.platform !== "win32") assert.ok(limit! >= 64, `${limit}`);
});

test(
  "a server that ran out of descriptors accepts again",
  { skip: process.platform === "win32" && "there is no such limit" },
  async () => {
    const home = mkdtempSync(join(tmpdir(), "svc-test-"));
    const program = [process.execPath, ...programOf("servers/api.ts"), "--port=0", "--json", "--memory-guard=off"];
    const child = spawn("sh", ["-c", 'ulimit -n 160; exec "$@"', "sh", ...program], {
      cwd: ROOT,
      env: { ...process.env, SVC_HOME: home, SVC_MODELS_DIR: "", SVC_API_KEY: "" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const exited = once(child, "exit");
    try {
      const [line] = await once(createInterface({ input: child.stdout }), "line");
      const { url } = JSON.parse(line) as { url: string };
      const { hostname, port } = new URL(url);
      for (let round = 0; round < 2; round++) {
        const sockets = await Promise.all(Array.from({ length: 400 }, async () => {
          const socket = connect(Number(port), hostname).on("error", () => {});
          await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
          return socket;
        }));
        const closed = sockets.map((socket) => socket.closed ? undefined : once(socket, "close"));
        for (const socket of sockets) socket.destroy();
        await Promise.all(closed);
        // A connection beyond the limit is closed at once, until the server sees that the others have ended.
        const health = async (tries: number): Promise<Response> =>
          await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) })
            .catch((error) => tries > 1 && error.name !== "TimeoutError" ? health(tries - 1) : Promise.reject(error));
        const answer = await health(50);
        assert.equal(answer.status, 200);
        await answer.arrayBuffer();
      }
    } finally {
      child.kill("SIGKILL");
      await exited;
      rmSync(home, { recursive: true, force: true });
    }
  },
);
