import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connectEngine } from "../../lib/engines/process/connect_engine.ts";
import type { OperationEngine } from "../../lib/engines/contract/chat_engine.ts";
import { forkEngine } from "../../lib/app/models/engine/spawn_engine.ts";
import { thisMachine } from "../../lib/platform/processes/processes.ts";
import { makeWorkFolder, sweepWorkFolders } from "../../lib/platform/files/work_folder.ts";
import { siblingModule } from "../../lib/platform/workers/spawn_worker.ts";
import { FAKE_SETTINGS } from "../support/fake_chat.ts";
import { make } from "../support/make_operation.ts";

const module = siblingModule("../support/operation_engine_process", import.meta.url);
const profile = { kind: "speech", engine: "onnx-hibari", voices: ["one"], sampleRate: 24_000 } as const;
const model = { id: "maker", folder: "/", files: [], profile };
const forever = new AbortController().signal;

async function open(): Promise<OperationEngine> {
  const options = { model, settings: FAKE_SETTINGS, onProgress: () => {} };
  return await connectEngine(forkEngine(module, "maker", () => {}), options, forever) as OperationEngine;
}

test("bytes and numbers of a result cross the processes as they are", async () => {
  const engine = await open();
  const sizes: number[] = [];
  const stages: string[] = [];
  await engine.perform(make, { parts: 3, bytes: 4 * 2 ** 20, as: "parts" }, {
    onEvent: ({ part, data, numbers }) => {
      assert.ok(data instanceof Uint8Array && numbers instanceof Float32Array);
      assert.ok(data.every((byte) => byte === part));
      assert.deepEqual([...numbers], [part, 0.5]);
      sizes.push(data.length);
    },
    onProgress: (_fraction, stage) => void stages.push(stage),
  }, forever);
  assert.deepEqual(sizes, [4 * 2 ** 20, 4 * 2 ** 20, 4 * 2 ** 20]);
  assert.equal(stages.at(-1), "part 3 of 3");
  await engine.stop();
});

test("files of a result are private and gone with their folder", async () => {
  const engine = await open();
  const folder = await makeWorkFolder();
  assert.equal((await stat(folder.path)).mode & 0o777, 0o700);
  const order = { parts: 2, bytes: 1000, as: "files" } as const;
  const { files } = await engine.perform(make, order, { folder: folder.path }, forever);
  assert.deepEqual(files, ["0.bin", "1.bin"]);
  const path = join(folder.path, files[1]);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(new Uint8Array(await readFile(path)), new Uint8Array(1000).fill(1));
  await folder.remove();
  await assert.rejects(stat(folder.path), { code: "ENOENT" });
  await engine.stop();
});

test("an engine that crashes within an operation fails it", async () => {
  const engine = await open();
  const order = { parts: 1, bytes: 1, as: "crash" } as const;
  await assert.rejects(engine.perform(make, order, {}, forever), /its process has exited \(code 9\)/);
  await assert.rejects(engine.perform(make, order, {}, forever), /has exited/);
});

test("an operation is cancelled while its part waits to be taken, and the engine keeps running", async () => {
  const engine = await open();
  const abort = new AbortController();
  let parts = 0;
  const order = { parts: 1000, bytes: 10, as: "parts" } as const;
  const cancelled = engine.perform(make, order, {
    onEvent: () => {
      if (++parts === 3) abort.abort(new Error("the client has disconnected"));
    },
  }, abort.signal);
  await assert.rejects(cancelled, /the client has disconnected/);
  assert.ok(parts <= 4, `${parts} parts`);
  assert.deepEqual(await engine.perform(make, { ...order, parts: 1 }, {}, forever), { files: [] });
  await engine.stop();
});

test("sweepWorkFolders() removes what dead processes left and nothing else", async () => {
  const root = await mkdtemp(join(tmpdir(), "svc-sweep-"));
  try {
    const mine = await makeWorkFolder(root);
    for (const name of ["10-dead", "11-alive", `${thisMachine.pid}-earlier`, "rubbish"]) await mkdir(join(root, name));
    await sweepWorkFolders(root, { pid: thisMachine.pid, isRunning: (pid) => pid === 11 });
    assert.deepEqual((await readdir(root)).sort(), ["11-alive", mine.path.slice(root.length + 1)].sort());
  } finally {
    await rm(root, { recursive: true });
  }
});
