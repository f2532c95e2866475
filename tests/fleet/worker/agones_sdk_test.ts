import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { AgonesSdk } from "../../../fleet/worker/agones_sdk.ts";
import { readWorldFlags } from "../../../servers/flags/world_flags.ts";

/** An SDK server that answers `status()`, and the requests that it got. */
async function sdkServer(status: () => number) {
  const got: string[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = "";
    for await (const part of request) body += part;
    got.push(`${request.method} ${request.url} ${body}`);
    response.writeHead(status(), { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    got,
    close: () => new Promise<unknown>((resolve) => server.close(resolve)),
  };
}

/** A clock that stands still until `pass()`. */
function handClock() {
  let waits = (): void => {};
  let pass = (): void => {};
  return {
    now: () => 0,
    wait: (_milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        pass = resolve;
        if (signal?.aborted) resolve();
        signal?.addEventListener("abort", () => resolve(), { once: true });
        waits();
      }),
    /** Resolves when something waits. */
    waiting: () => new Promise<void>((resolve) => waits = resolve),
    pass: () => pass(),
  };
}

test("a worker is Ready, Allocated while it has work, and Shutdown at its end", async () => {
  const server = await sdkServer(() => 200);
  const clock = handClock();
  let isBusy = false;
  const sdk = new AgonesSdk({ port: server.port, clock, isBusy: () => isBusy, log: () => {} });
  const stop = new AbortController();
  let waiting = clock.waiting();
  const kept = sdk.keep(stop.signal);
  const step = async (act: () => void) => {
    await waiting;
    waiting = clock.waiting();
    act();
  };
  await step(() => sdk.changed()); // nothing has changed: nothing is said
  isBusy = true;
  await step(() => sdk.changed());
  await step(() => isBusy = false);
  clock.pass(); // as when a rollout ends, which sends no notification
  await step(() => stop.abort());
  await kept;
  await sdk.shutdown();
  assert.deepEqual(server.got, ["POST /ready {}", "POST /allocate {}", "POST /ready {}", "POST /shutdown {}"]);
  await server.close();
});

test("a report that Agones does not take is logged once and repeated until it does", async () => {
  const answers = [500, 500, 200];
  const server = await sdkServer(() => answers.shift() ?? 200);
  const clock = handClock();
  const logged: string[] = [];
  const log = (level: string, event: string) => void logged.push(`${level} ${event}`);
  const sdk = new AgonesSdk({ port: server.port, clock, isBusy: () => false, log });
  const stop = new AbortController();
  let waiting = clock.waiting();
  const kept = sdk.keep(stop.signal);
  for (let i = 0; i < 4; i++) {
    await waiting;
    waiting = clock.waiting();
    clock.pass();
  }
  await waiting;
  stop.abort();
  await kept;
  assert.deepEqual(server.got, ["POST /ready {}", "POST /ready {}", "POST /ready {}"]);
  assert.deepEqual(logged, ["warn agones_report_failed"]);
  await server.close();
});

test("a worker without Agones' server beside it continues", async () => {
  const server = await sdkServer(() => 200);
  await server.close();
  const logged: string[] = [];
  const log = (_level: string, event: string) => void logged.push(event);
  const sdk = new AgonesSdk({ port: server.port, clock: handClock(), isBusy: () => true, log });
  await sdk.shutdown();
  assert.deepEqual(logged, ["agones_report_failed"]);
});

test("the port of Agones' server comes from the environment, and must be one", () => {
  const args = ["--join", "nats://127.0.0.1:4222"];
  const env = (port: string) => ({ AGONES_SDK_HTTP_PORT: port, SVC_POOL_KEY: "the key of the workers" });
  const read = (port: string) => {
    const command = readWorldFlags("svc world serve", args, env(port));
    return command.kind === "serve" ? command.fleet?.agones : undefined;
  };
  assert.equal(read("9358"), 9358);
  assert.equal(read(""), undefined);
  for (const wrong of ["0", "65536", "http", "93.5", "-1"]) {
    assert.throws(() => read(wrong), /AGONES_SDK_HTTP_PORT is ".+", expected a port from 1 to 65535/);
  }
});
