import assert from "node:assert/strict";
import { test } from "node:test";
import { serveModel } from "../../../lib/world/backends/serve_model.ts";
import { loadLog } from "../../../lib/world/host/world_metrics.ts";
import type { LoadedBytes } from "../../../lib/models/checkpoint/load_meter.ts";
import {
  type CallRecord,
  ModelWorker,
  type WorkerChain,
  type WorkerListeners,
} from "../../../lib/world/backends/model_worker.ts";
import type { BlockRequest, GenerateOptions } from "../../../lib/models/world/world_model.ts";
import type { WorkerHandle } from "../../../lib/platform/rpc/rpc_port.ts";
import { FakeWorldModel } from "../../support/fake_world_model.ts";
import { deferred } from "../../support/world_harness.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const IMAGE = { width: 2, height: 1, data: new Uint8Array(6) };
const SIZE = { width: 32, height: 32 };
const REQUEST = { prompt: "p", seed: 2n ** 63n, views: new Float32Array(48) };

interface FakeWorker {
  /** The chain that was there first. */
  readonly model: FakeWorldModel;
  readonly others: FakeWorldModel[];
  readonly settings: unknown;
  terminated: boolean;
  die(error: Error): void;
}

/** One more chain. */
function served(chains: FakeWorldModel[]): FakeWorldModel & { openChain(): never } {
  const model = new FakeWorldModel();
  chains.push(model);
  return Object.assign(model, { openChain: () => assert.fail("only the first chain opens others") });
}

type Models = ModelWorker<string, BlockRequest, GenerateOptions>;

/** A worker in this thread; messages are cloned as real ones are. */
function fakeWorkers(
  listeners?: WorkerListeners,
): { host: Models; model: WorkerChain<BlockRequest, GenerateOptions>; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const spawn = (): Promise<WorkerHandle> => {
    const ended = deferred<Error | undefined>();
    let toWorker: (message: unknown) => void = () => {};
    let toSession: (reply: unknown) => void = () => {};
    const worker = {
      model: new FakeWorldModel(),
      others: [],
      settings: undefined as unknown,
      terminated: false,
      die: (error: Error) => ended.resolve(error),
    };
    workers.push(worker);
    serveModel<string, BlockRequest>({
      send: (reply, transfer = []) => {
        const message = structuredClone(reply, { transfer: [...transfer] });
        queueMicrotask(() => worker.terminated || toSession(message));
      },
      onMessage: (listener) => toWorker = listener,
    }, (settings) => {
      worker.settings = settings;
      return Object.assign(worker.model, { openChain: () => served(worker.others) });
    });
    return Promise.resolve({
      send: (message) => {
        const clone = structuredClone(message);
        queueMicrotask(() => worker.terminated || toWorker(clone));
      },
      onMessage: (listener) => toSession = listener,
      ended: ended.promise,
      terminate: () => {
        worker.terminated = true;
        ended.resolve(undefined);
        return Promise.resolve();
      },
    });
  };
  const host: Models = new ModelWorker(spawn, "settings", listeners);
  return { host, model: host.openChain(), workers };
}

test("WorkerChain passes calls, progress and results through", async () => {
  const { model, workers } = fakeWorkers();
  assert.deepEqual(await model.prepare(), { id: "fake", device: "cpu (fake)", dtype: "f32" });
  assert.equal(workers[0].settings, "settings");
  await model.begin(IMAGE, SIZE);
  const stages: string[] = [];
  const frames = await model.generate(REQUEST, { onProgress: ({ stage }) => stages.push(stage) });
  assert.deepEqual([frames.count, frames.data.length], [9, 9 * 32 * 32 * 3]);
  assert.deepEqual(stages, ["denoising", "decoding"]);
  assert.equal(workers[0].model.requests[0].seed, 2n ** 63n);
  const kept = await model.snapshot();
  const chain = workers[0].model.chain;
  await model.generate(REQUEST);
  await model.restore(kept);
  assert.deepEqual(workers[0].model.chain, chain);
  await model.release(kept);
  await assert.rejects(model.restore(kept), /released/);
});

test("ModelWorker reports how far a large model is loaded, and the log by tenths", async () => {
  const lines: unknown[] = [];
  const heard: LoadedBytes[] = [];
  const log = loadLog((...line) => lines.push(line));
  const { model, workers } = fakeWorkers({
    onLoad(loaded) {
      heard.push(loaded);
      log(loaded);
    },
  });
  await model.prepare();
  await model.begin(IMAGE, SIZE);
  workers[0].model.loads = [10, 19, 20].map((done) => ({ done, total: 100, ...done === 20 && { secondsLeft: 3.4 } }));
  await model.generate(REQUEST);
  assert.deepEqual(heard, workers[0].model.loads);
  assert.deepEqual(lines, [
    ["info", "model_loading", { bytes_read: 10, bytes_total: 100, seconds_left: undefined }],
    ["info", "model_loading", { bytes_read: 20, bytes_total: 100, seconds_left: 4 }],
  ]);
});

test("ModelWorker reports how long calls took that succeeded, and how large states are", async () => {
  const records: CallRecord[] = [];
  const { model } = fakeWorkers({ onCall: (record) => void records.push(record) });
  await model.prepare();
  await model.begin(IMAGE, SIZE);
  await model.generate(REQUEST);
  const state = await model.exportState();
  await model.importState(state.slice());
  await assert.rejects(model.restore(99));
  const called = records.map(({ call, bytes }) => [call, bytes]);
  const size = state.length;
  assert.ok(size > 0);
  assert.deepEqual(called, [["prepare", 0], ["begin", 0], ["generate", 0], ["exportState", size], [
    "importState",
    size,
  ]]);
  assert.ok(records.every(({ seconds }) => seconds >= 0 && seconds < 60));
});

test("WorkerChain passes scene memory through", async () => {
  const { model, workers } = fakeWorkers();
  await model.prepare();
  await model.begin(IMAGE, SIZE);
  const memory = { recall: [], store: [{ frame: 1, latent: 1 }], forget: [] };
  await model.generate({ ...REQUEST, memory });
  const again = { recall: [{ frame: 0, latent: 1, strength: 0.5 }], store: [], forget: [1] };
  await model.generate({ ...REQUEST, memory: again });
  assert.deepEqual(workers[0].model.requests.map((request) => request.memory), [memory, again]);
  await assert.rejects(model.generate({ ...REQUEST, memory: again }), /Cannot recall latent 1/);
});

test("WorkerChain revives errors that are written for users", async () => {
  const { model, workers } = fakeWorkers();
  await model.prepare();
  const error = new SvcError("device_lost", "Cannot continue: the device is gone");
  workers[0].model.failure = { call: "snapshot", error };
  await assert.rejects(model.snapshot(), { name: "SvcError", code: "device_lost", message: error.message });
});

test("WorkerChain.generate() rejects with the signal's reason once the worker has stopped", async () => {
  const { model, workers } = fakeWorkers();
  await model.prepare();
  await model.begin(IMAGE, SIZE);
  const before = workers[0].model.chain;
  workers[0].model.gate = new Promise(() => {});
  const abort = new AbortController();
  workers[0].model.onGenerate = () => queueMicrotask(() => abort.abort(new RangeError("enough")));
  await assert.rejects(model.generate(REQUEST, { signal: abort.signal }), { name: "RangeError", message: "enough" });
  assert.deepEqual(workers[0].model.chain, before);
  await assert.rejects(model.generate(REQUEST, { signal: abort.signal }), { message: "enough" });
  assert.equal(workers[0].model.requests.length, 1);
});

test("WorkerChain rejects waiting calls when its worker dies, and starts another when prepared", async () => {
  const { model, workers } = fakeWorkers();
  await model.prepare();
  await model.begin(IMAGE, SIZE);
  workers[0].model.gate = new Promise(() => {});
  workers[0].model.onGenerate = () => workers[0].die(new Error("out of memory"));
  await assert.rejects(model.generate(REQUEST), { code: "model_worker_died" });
  await assert.rejects(model.snapshot(), { code: "model_worker_died" });
  await model.prepare();
  assert.equal(workers.length, 2);
  await model.begin(IMAGE, SIZE);
  assert.equal((await model.generate(REQUEST)).count, 9);
});

test("WorkerChain.unload() releases the model and ends the worker, even when releasing fails", async () => {
  const { model, workers } = fakeWorkers();
  await model.unload();
  await model.prepare();
  workers[0].model.failure = { call: "unload", error: new Error("stuck") };
  await model.unload();
  assert.deepEqual([workers[0].model.calls.at(-1), workers[0].terminated], ["unload", true]);
  await model.prepare();
  await model.unload();
  assert.equal(workers[1].model.prepared, false);
  assert.equal(workers.length, 2);
});

test("WorkerChain.terminate() ends a worker that does not answer", async () => {
  const { model, workers } = fakeWorkers();
  await model.prepare();
  await model.begin(IMAGE, SIZE);
  workers[0].model.gate = new Promise(() => {});
  const begun = deferred();
  workers[0].model.onGenerate = begun.resolve;
  const block = assert.rejects(model.generate(REQUEST), { code: "model_worker_died" });
  await begun.promise;
  await model.terminate();
  await block;
  assert.equal(workers[0].terminated, true);
});

test("chains of one worker keep apart, and the last one that is unloaded ends it", async () => {
  const { host, model, workers } = fakeWorkers();
  const other = host.openChain();
  await Promise.all([model.prepare(), other.prepare()]);
  assert.equal(workers.length, 1);
  await model.begin(IMAGE, SIZE);
  await assert.rejects(other.generate(REQUEST));
  await other.begin({ ...IMAGE, data: new Uint8Array(6).fill(9) }, SIZE);
  const [mine, theirs] = await Promise.all([model.generate(REQUEST), other.generate(REQUEST)]);
  assert.notEqual(mine.data[0], theirs.data[0]);
  assert.notDeepEqual(workers[0].model.chain, workers[0].others[0].chain);
  await model.unload();
  assert.equal(workers[0].terminated, false);
  assert.equal((await other.generate(REQUEST)).count, 12);
  await other.unload();
  assert.equal(workers[0].terminated, true);
});

test("a chain whose worker has died says so even when another one has started a new worker", async () => {
  const { host, model, workers } = fakeWorkers();
  const other = host.openChain();
  for (const chain of [model, other]) {
    await chain.prepare();
    await chain.begin(IMAGE, SIZE);
  }
  workers[0].die(new Error("out of memory"));
  await assert.rejects(other.generate(REQUEST), { code: "model_worker_died" });
  await other.prepare();
  await other.begin(IMAGE, SIZE);
  await assert.rejects(model.generate(REQUEST), { code: "model_worker_died" });
  await model.prepare();
  await model.begin(IMAGE, SIZE);
  assert.equal((await model.generate(REQUEST)).count, 9);
  assert.equal(workers.length, 2);
});
