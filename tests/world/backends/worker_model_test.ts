import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelMessage, ModelReply, ModelWorker } from "../../../lib/world/backends/model_protocol.ts";
import { serveModel } from "../../../lib/world/backends/serve_model.ts";
import { WorkerModel } from "../../../lib/world/backends/worker_model.ts";
import type { BlockRequest } from "../../../lib/models/world/world_model.ts";
import { FakeWorldModel } from "../../support/fake_world_model.ts";
import { deferred } from "../../support/world_harness.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const IMAGE = { width: 2, height: 1, data: new Uint8Array(6) };
const SIZE = { width: 32, height: 32 };
const REQUEST = { prompt: "p", seed: 2n ** 63n, views: new Float32Array(48) };

interface FakeWorker {
  readonly model: FakeWorldModel;
  readonly settings: unknown;
  terminated: boolean;
  die(error: Error): void;
}

/** A worker in this thread; messages are cloned as real ones are. */
function fakeWorkers(): { model: WorkerModel<string>; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const spawn = (): Promise<ModelWorker<string>> => {
    const ended = deferred<Error | undefined>();
    let toWorker: (message: ModelMessage<string>) => void = () => {};
    let toSession: (reply: ModelReply) => void = () => {};
    const worker = {
      model: new FakeWorldModel(),
      settings: undefined as unknown,
      terminated: false,
      die: (error: Error) => ended.resolve(error),
    };
    workers.push(worker);
    serveModel<string, BlockRequest>({
      postMessage: (reply, transfer = []) => {
        const message = structuredClone(reply, { transfer: [...transfer] });
        queueMicrotask(() => worker.terminated || toSession(message));
      },
      onMessage: (listener) => toWorker = listener,
    }, (settings) => {
      worker.settings = settings;
      return worker.model;
    });
    return Promise.resolve({
      postMessage: (message) => {
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
  return { model: new WorkerModel(spawn, "settings"), workers };
}

test("WorkerModel passes calls, progress and results through", async () => {
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

test("WorkerModel passes scene memory through", async () => {
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

test("WorkerModel revives errors that are written for users", async () => {
  const { model, workers } = fakeWorkers();
  await model.prepare();
  const error = new SvcError("device_lost", "Cannot go on: the device is gone");
  workers[0].model.failure = { call: "snapshot", error };
  await assert.rejects(model.snapshot(), { name: "SvcError", code: "device_lost", message: error.message });
});

test("WorkerModel.generate() rejects with the signal's reason once the worker has stopped", async () => {
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

test("WorkerModel rejects waiting calls when its worker dies, and starts another when prepared", async () => {
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

test("WorkerModel.unload() releases the model and ends the worker, even when releasing fails", async () => {
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

test("WorkerModel.terminate() ends a worker that does not answer", async () => {
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
