import { test } from "node:test";
import assert from "node:assert/strict";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import { chunkRelativeViews, latentViews } from "../../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import type { BlockProgress, BlockRequest } from "../../../lib/models/world/world_model.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import type { Device, Graph } from "../../../lib/compute/tensor/mod.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";
import { joinFrames, type RgbFrames } from "../../../lib/media/images/rgb_image.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const size = { width: 64, height: 32 };
const views = chunkRelativeViews(
  latentViews({ steps: [stepOfKeys("wj")], weights: [1], latentFrames: 18, speed: 1.5 }),
);

function blockRequest(block: number, prompt = "red hall"): BlockRequest {
  return { prompt, seed: 7n + BigInt(block), views: views.subarray(48 * block, 48 * block + 48) };
}

function gradient(width: number, height: number) {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 37) % 256);
  return { width, height, data };
}

/** A prepared tiny model with a chain; `devices` are those it has opened. */
async function walker(settings: Record<string, unknown> = {}): Promise<{ model: ArworldModel; devices: Device[] }> {
  const devices: Device[] = [];
  const { base, causal } = tinyArworld(1, settings);
  const model = new ArworldModel({
    id: "tiny",
    base: memoryRoot("base", base),
    causal: memoryRoot("causal", causal),
    openDevice: async () => {
      const device = await openOnnxDevice({ threads: 1 });
      devices.push(device);
      return device;
    },
  });
  await model.prepare();
  await model.begin(gradient(50, 40), size);
  return { model, devices };
}

test("ArworldModel.prepare() says what is loaded, reports progress and loads once", async () => {
  const { base, causal } = tinyArworld();
  let opened = 0;
  const model = new ArworldModel({
    id: "tiny",
    base: memoryRoot("/models/base", base),
    causal: memoryRoot("/models/causal", causal),
    openDevice: () => (opened++, openOnnxDevice({ threads: 1 })),
  });
  const fractions: number[] = [];
  const onProgress = ({ fraction }: { fraction: number }) => void fractions.push(fraction);
  const [info, again] = await Promise.all([model.prepare({ onProgress }), model.prepare()]);
  assert.deepEqual(info, {
    id: "tiny",
    path: "/models/causal",
    basePath: "/models/base",
    device: "cpu (1 thread)",
    dtype: "f32",
  });
  assert.deepEqual(again, info);
  assert.equal(opened, 1);
  assert.equal(fractions.at(-1), 1);
  await model.unload();
});

test("ArworldModel.prepare() compiles for the size that will be used, and for no other", async () => {
  const { base, causal } = tinyArworld();
  let compiled = 0;
  const openDevice = async (): Promise<Device> => {
    const device = await openOnnxDevice({ threads: 1 });
    const compile = device.compile.bind(device);
    return Object.assign(device, { compile: (graph: Graph) => (compiled++, compile(graph)) });
  };
  const roots = { base: memoryRoot("base", base), causal: memoryRoot("causal", causal) };
  const own = new ArworldModel({ id: "tiny", ...roots, openDevice });
  await own.prepare();
  const forOneSize = compiled;
  await own.unload();
  compiled = 0;
  const other = { width: 96, height: 64 };
  const model = new ArworldModel({ id: "tiny", ...roots, openDevice });
  await model.prepare({ geometry: other });
  const ready = compiled;
  await model.begin(gradient(96, 64), other);
  assert.equal(compiled, ready);
  await model.generate(blockRequest(0));
  assert.equal(compiled, forOneSize);
  await model.unload();
});

test("ArworldModel.prepare() rejects with every problem and can be tried again", async () => {
  const { base, causal } = tinyArworld();
  const weights = causal.get("model.safetensors")!;
  causal.delete("model.safetensors");
  const model = new ArworldModel({
    id: "tiny",
    base: memoryRoot("base", base),
    causal: memoryRoot("causal", causal),
    openDevice: () => openOnnxDevice({ threads: 1 }),
  });
  await assert.rejects(model.prepare(), SvcError);
  causal.set("model.safetensors", weights);
  assert.equal((await model.prepare()).id, "tiny");
  await model.unload();
});

test("ArworldModel.generate() gives 9 frames, then 12 a block, and reports every pass", async () => {
  const { model } = await walker();
  const progress: BlockProgress[] = [];
  const first = await model.generate(blockRequest(0), { onProgress: (p) => void progress.push(p) });
  assert.deepEqual([first.count, first.width, first.height, first.data.length], [9, 64, 32, 9 * 64 * 32 * 3]);
  assert.deepEqual(progress.map((p) => p.stage), [...Array(5).fill("denoising"), "decoding"]);
  assert.deepEqual(progress.map((p) => p.step), [0, 1, 2, 3, 4, 5]);
  assert.ok(progress.every((p) => p.steps === 6));
  for (let block = 1; block < 6; block++) assert.equal((await model.generate(blockRequest(block))).count, 12);
  await model.unload();
});

test("ArworldModel.generate() gives the same frames for the same requests and others for another seed", async () => {
  const { model } = await walker();
  const walk = async () => [await model.generate(blockRequest(0)), await model.generate(blockRequest(1))];
  const once = await walk();
  await model.begin(gradient(50, 40), size);
  assert.deepEqual(await walk(), once);
  await model.begin(gradient(50, 40), size);
  const other = await model.generate({ ...blockRequest(0), seed: 8n });
  assert.notDeepEqual(other.data, once[0].data);
  await model.unload();
});

test("ArworldModel.generate() follows prompt, views and the image", async () => {
  const { model } = await walker();
  const start = await model.snapshot();
  const frames = async (request: BlockRequest) => {
    await model.restore(start);
    return (await model.generate(request)).data;
  };
  const same = await frames(blockRequest(0));
  assert.notDeepEqual(await frames(blockRequest(0, "")), same);
  assert.notDeepEqual(await frames({ ...blockRequest(0), views: blockRequest(1).views }), same);
  await model.begin({ ...gradient(50, 40), data: new Uint8Array(50 * 40 * 3) }, size);
  assert.notDeepEqual((await model.generate(blockRequest(0))).data, same);
  await model.unload();
});

test("ArworldModel.restore() continues bit for bit, before the first block and after the window has rolled", async () => {
  const { model } = await walker();
  for (const blocks of [0, 1, 4]) {
    await model.begin(gradient(50, 40), size);
    for (let block = 0; block < blocks; block++) await model.generate(blockRequest(block));
    const kept = await model.snapshot();
    const walk =
      async () => [await model.generate(blockRequest(blocks)), await model.generate(blockRequest(blocks + 1))];
    const once = await walk();
    await model.restore(kept);
    assert.deepEqual(await walk(), once);
    // The snapshot stays valid after it was used, and after the chain has gone another way.
    await model.begin(gradient(9, 9), size);
    await model.restore(kept);
    assert.deepEqual(await walk(), once);
    await model.release(kept);
    await assert.rejects(model.restore(kept), /Cannot restore state/);
    await assert.rejects(model.release(kept), /Cannot release state/);
  }
  await model.unload();
});

test("ArworldModel.restore() returns to a chain of another size", async () => {
  const { model } = await walker();
  await model.generate(blockRequest(0));
  const kept = await model.snapshot();
  const once = await model.generate(blockRequest(1));
  await model.begin(gradient(10, 10), { width: 32, height: 64 });
  assert.equal((await model.generate(blockRequest(0))).height, 64);
  await model.restore(kept);
  assert.deepEqual(await model.generate(blockRequest(1)), once);
  await model.unload();
});

test("ArworldModel.generate() leaves the state as it was when it is aborted after any pass", async () => {
  const { model } = await walker();
  await model.generate(blockRequest(0));
  const kept = await model.snapshot();
  const expected = await model.generate(blockRequest(1));
  for (let stop = 0; stop < 5; stop++) {
    await model.restore(kept);
    const abort = new AbortController();
    const onProgress = ({ step }: BlockProgress) => {
      if (step === stop) abort.abort(new Error(`stopped in pass ${stop}`));
    };
    await assert.rejects(
      model.generate(blockRequest(1), { signal: abort.signal, onProgress }),
      new RegExp(`stopped in pass ${stop}`),
    );
    assert.deepEqual(await model.generate(blockRequest(1)), expected);
  }
  await assert.rejects(model.generate(blockRequest(2), { signal: AbortSignal.abort(new Error("never")) }), /never/);
  await model.unload();
});

test("ArworldModel.generate() gives frames out before the block ends, whole or split, and the same ones", async () => {
  const { model, devices: [device] } = await walker({ color_strength: 0 });
  const start = await model.snapshot();
  const expected = [await model.generate(blockRequest(0)), await model.generate(blockRequest(1))];
  await model.restore(start);
  const stages: string[] = [];
  const parts: RgbFrames[] = [];
  const options = {
    early: "split" as const,
    onProgress: ({ stage, step }: BlockProgress) => void stages.push(`${stage} ${step}`),
    onFrames: (frames: RgbFrames) => (stages.push(`${frames.count} frames`), void parts.push(frames)),
  };
  const denoising = [0, 1, 2, 3].map((step) => `denoising ${step}`);
  for (const [block, counts] of [[5, 4], [4, 8]].entries()) {
    const frames = await model.generate(blockRequest(block), options);
    assert.deepEqual(frames, expected[block]);
    assert.deepEqual(joinFrames(parts.splice(0)), expected[block]);
    assert.deepEqual(stages.splice(0), [...denoising, "decoding 5", ...counts.map((count) => `${count} frames`)]);
  }
  const { allocated } = device.memory();
  for (const early of ["split", "whole"] as const) {
    const abort = new AbortController();
    const given: number[] = [];
    const onFrames = ({ count }: RgbFrames) => (given.push(count), abort.abort(new Error("seen enough")));
    await assert.rejects(model.generate(blockRequest(2), { early, signal: abort.signal, onFrames }), /seen enough/);
    assert.deepEqual(given, early === "split" ? [4] : [12]);
    assert.equal(device.memory().allocated, allocated);
  }
  await model.unload();
});

test("ArworldModel.generate() matches the colours of a whole block before it gives an early one in its two parts", async () => {
  const { model } = await walker();
  const start = await model.snapshot();
  const expected = await model.generate(blockRequest(0));
  await model.restore(start);
  const parts: RgbFrames[] = [];
  const onFrames = (frames: RgbFrames) => void parts.push(frames);
  await model.generate(blockRequest(0), { early: "split", onFrames });
  assert.deepEqual(parts.map(({ count }) => count), [5, 4]);
  assert.deepEqual(joinFrames(parts), expected);
  await model.unload();
});

test("ArworldModel keeps a bounded amount of memory over many blocks, snapshots and aborts", async () => {
  const { model, devices: [device] } = await walker();
  const walk = async () => {
    await model.begin(gradient(50, 40), size);
    for (let block = 0; block < 5; block++) await model.generate(blockRequest(block));
    const kept = await model.snapshot();
    const abort = new AbortController();
    const onProgress = () => abort.abort(new Error("stop"));
    await model.generate(blockRequest(5), { signal: abort.signal, onProgress }).catch(() => {});
    await model.restore(kept);
    await model.release(kept);
    return device.memory().allocated;
  };
  const after = await walk();
  assert.equal(await walk(), after);
  assert.equal(await walk(), after);
  await model.unload();
});

test("ArworldModel says what is wrong when it is used out of order", async () => {
  const { model, devices } = await walker();
  await assert.rejects(model.generate({ ...blockRequest(0), views: new Float32Array(16) }), /got 16 view numbers/);
  for (const width of [0, 48, -32, 32.5]) {
    await assert.rejects(model.begin(gradient(4, 4), { width, height: 32 }), /expected multiples of 32/);
  }
  await model.unload();
  assert.equal(devices[0].memory().allocated, 0);
  await assert.rejects(model.begin(gradient(4, 4), size), /not prepared/);
  await assert.rejects(model.generate(blockRequest(0)), /not prepared/);
  await assert.rejects(model.snapshot(), /there is no chain/);
  await model.prepare();
  assert.equal(devices.length, 2);
  await assert.rejects(model.generate(blockRequest(0)), /begin one from an image/);
  await model.begin(gradient(4, 4), size);
  assert.equal((await model.generate(blockRequest(0))).count, 9);
  await model.unload();
});

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => resolve = done);
  return { promise, resolve };
}

/** A device that can be lost as a GPU is: runs reject from then on. */
function losable(device: Device): { device: Device; lose: () => void } {
  const { promise: lost, resolve } = deferred<string>();
  let isLost = false;
  return {
    lose() {
      isLost = true;
      resolve("unplugged");
    },
    device: {
      kind: "webgpu",
      label: device.label,
      precision: device.precision,
      lost,
      upload: (t) => device.upload(t),
      idle: () => device.idle(),
      memory: () => device.memory(),
      dispose: () => device.dispose(),
      async compile(graph) {
        const program = await device.compile(graph);
        return {
          inputs: program.inputs,
          outputs: program.outputs,
          run: (feeds) =>
            isLost ? Promise.reject(new SvcError("device_lost", "Cannot run: unplugged")) : program.run(feeds),
          dispose: () => program.dispose(),
        };
      },
    },
  };
}

test("ArworldModel can be prepared again after its device is lost", async () => {
  const { base, causal } = tinyArworld();
  const opened: { device: Device; lose: () => void }[] = [];
  const model = new ArworldModel({
    id: "tiny",
    base: memoryRoot("base", base),
    causal: memoryRoot("causal", causal),
    openDevice: async () => {
      opened.push(losable(await openOnnxDevice({ threads: 1 })));
      return opened.at(-1)!.device;
    },
  });
  await model.prepare();
  await model.begin(gradient(50, 40), size);
  const expected = await model.generate(blockRequest(0));
  const kept = await model.snapshot();
  opened[0].lose();
  await assert.rejects(model.generate(blockRequest(1)), { code: "device_lost" });
  await assert.rejects(model.begin(gradient(50, 40), size), { code: "device_lost" });
  await assert.rejects(model.restore(kept), { code: "device_lost" });
  await model.prepare();
  assert.equal(opened.length, 2);
  await model.begin(gradient(50, 40), size);
  assert.deepEqual(await model.generate(blockRequest(0)), expected);
  await model.unload();
});
