import assert from "node:assert/strict";
import { test } from "node:test";
import { parentPort } from "../../lib/platform/workers/parent_port.ts";
import {
  endNativeWorkers,
  hasNativeWorkers,
  siblingModule,
  spawnWorker,
} from "../../lib/platform/workers/spawn_worker.ts";
import type { WorkerHandle } from "../../lib/platform/rpc/rpc_port.ts";

const spawnEcho = (): Promise<WorkerHandle> =>
  spawnWorker(siblingModule("echo_worker", import.meta.url), { name: "echo" });

test("spawnWorker() passes messages in order, those sent before the worker listens included", async () => {
  const worker = await spawnEcho();
  try {
    for (let i = 0; i < 5; i++) worker.send(new Uint8Array([i]));
    const got: number[] = [];
    await new Promise<void>((resolve) =>
      worker.onMessage((bytes) => {
        got.push((bytes as Uint8Array)[0]);
        if (got.length === 5) resolve();
      })
    );
    assert.deepEqual(got, [0, 1, 2, 3, 4]);
  } finally {
    await worker.terminate();
  }
  assert.equal(await worker.ended, undefined);
});

test("send() moves the buffers of its transfer list and copies all others", async () => {
  const worker = await spawnEcho();
  try {
    const moved = new Uint8Array([7, 8]);
    const copied = new Uint8Array([9]);
    const echoes: number[][] = [];
    const both = new Promise<void>((resolve) =>
      worker.onMessage((bytes) => {
        echoes.push([...bytes as Uint8Array]);
        if (echoes.length === 2) resolve();
      })
    );
    worker.send(moved, [moved.buffer]);
    worker.send(copied);
    await both;
    assert.deepEqual(echoes, [[7, 8], [9]]);
    assert.equal(moved.byteLength, 0);
    assert.equal(copied.byteLength, 1);
  } finally {
    await worker.terminate();
  }
});

test("WorkerHandle.ended resolves with the cause when the worker throws", async () => {
  const worker = await spawnEcho();
  worker.send("boom");
  const cause = await worker.ended;
  assert.match(cause!.message, /worker echo: it has stopped \(.*boom/);
  await worker.terminate();
});

test("WorkerHandle.ended resolves with the cause when the module does not exist", async () => {
  const worker = await spawnWorker(siblingModule("no_such_worker", import.meta.url));
  assert.match((await worker.ended)!.message, /worker worker: it has stopped/);
  await worker.terminate();
});

test("siblingModule() follows the extension of its base", () => {
  assert.equal(siblingModule("b", "file:///x/a.ts").href, "file:///x/b.ts");
  assert.equal(siblingModule("b", "file:///x/dist/a.js").href, "file:///x/dist/b.js");
  assert.equal(siblingModule("b", "https://host/x/a.ts?v=1").href, "https://host/x/b.ts");
});

test("parentPort() refuses the main thread", async () => {
  await assert.rejects(() => parentPort(), /Cannot open the parent port: this is the main thread/);
});

test(
  "a worker in a long call is asked to exit and never terminated, and endNativeWorkers() reports that it has not exited",
  {
    skip: typeof Worker === "function" ? "Deno ends its workers without an abort" : false,
  },
  async () => {
    const url = siblingModule("echo_worker", import.meta.url);
    const worker = await spawnWorker(url, { name: "long", exitTimeout: 1 });
    const gate = new Int32Array(new SharedArrayBuffer(4));
    worker.send(gate); // it waits as in a native call
    while (Atomics.load(gate, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await worker.terminate();
    assert.equal(await worker.ended, undefined);
    assert.equal(await endNativeWorkers(), false);
    assert.equal(hasNativeWorkers(), true);
    Atomics.store(gate, 0, 2);
    Atomics.notify(gate, 0);
    while (hasNativeWorkers()) await endNativeWorkers();
    assert.equal(Atomics.load(gate, 0), 3, "it has gone on to the end of its call");
  },
);
