import { test } from "node:test";
import assert from "node:assert/strict";
import { ActionworldModel } from "../../../lib/models/actionworld/actionworld_model.ts";
import { compileActions } from "../../../lib/models/actionworld/action_rows.ts";
import type { ClipRequest } from "../../../lib/models/world/clip_model.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import type { Device, Program } from "../../../lib/compute/tensor/mod.ts";
import { memoryRoot } from "../../support/tiny_arworld.ts";
import { tinyActionworld } from "../../support/tiny_actionworld.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const image = {
  width: 40,
  height: 30,
  data: Uint8Array.from({ length: 40 * 30 * 3 }, (_, i) => (i * 37) % 251),
};
const size = { width: 48, height: 32 };

function request(changes: Partial<ClipRequest> = {}): ClipRequest {
  const forward = { direction: [0, 0, 1], translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] } as const;
  const frames = changes.frames ?? 5;
  return {
    prompt: "a hall",
    seed: 1n,
    frames,
    actions: compileActions(forward, frames - 1),
    fps: 8,
    steps: 2,
    guidanceScale: 1,
    shift: 3,
    ...changes,
  };
}

function tinyModel(openDevice: () => Promise<Device> = () => openOnnxDevice()): ActionworldModel {
  return new ActionworldModel({ id: "tiny", snapshot: memoryRoot("tiny", tinyActionworld()), openDevice });
}

async function begun(): Promise<ActionworldModel> {
  const model = tinyModel();
  await model.prepare();
  await model.begin(image, size);
  return model;
}

/** A device that counts how often its programs gave out each output. */
function countingDevice(device: Device, runs: Map<string, number>): Device {
  const count = (program: Program): Program => ({
    ...program,
    inputs: program.inputs,
    outputs: program.outputs,
    run(feeds) {
      for (const name of program.outputs.keys()) runs.set(name, (runs.get(name) ?? 0) + 1);
      return program.run(feeds);
    },
    dispose: () => program.dispose(),
  });
  return {
    kind: device.kind,
    label: device.label,
    precision: device.precision,
    lost: device.lost,
    compile: async (graph) => count(await device.compile(graph)),
    upload: (t) => device.upload(t),
    idle: () => device.idle(),
    memory: () => device.memory(),
    dispose: () => device.dispose(),
  };
}

// @row world-session > States > The next move continues from the terminal state
test("ActionworldModel generates a clip that begins with its picture, and the next from where it ended", async () => {
  const model = await begun();
  const first = await model.generate(request());
  assert.deepEqual([first.width, first.height, first.count, first.data.length], [48, 32, 5, 5 * 48 * 32 * 3]);
  const bytes = 48 * 32 * 3;
  const second = await model.generate(request());
  assert.deepEqual(second.data.subarray(0, bytes), first.data.subarray(4 * bytes));
  assert.notDeepEqual(second.data.subarray(bytes), first.data.subarray(bytes));
  await model.unload();
});

test("ActionworldModel gives the same clip for the same seed and another for another seed, move or prompt", async () => {
  const model = await begun();
  const start = await model.snapshot();
  const clip = async (changes: Partial<ClipRequest>) => {
    await model.restore(start);
    return (await model.generate(request(changes))).data;
  };
  const usual = await clip({});
  assert.deepEqual(await clip({}), usual);
  const turn = { direction: [0, 0, 0], translationMeters: [0, 0, 0], rotationDegrees: [0, -40, 0] } as const;
  assert.notDeepEqual(await clip({ seed: 2n }), usual);
  assert.notDeepEqual(await clip({ actions: compileActions(turn, 4) }), usual);
  assert.notDeepEqual(await clip({ prompt: "a red hall" }), usual);
  assert.notDeepEqual(await clip({ guidanceScale: 3 }), usual);
  assert.notDeepEqual(await clip({ shift: 5 }), usual);
  assert.notDeepEqual(await clip({ fps: 30 }), usual);
  await model.unload();
});

test("ActionworldModel reads a prompt once and looks at it in every step", async () => {
  const runs = new Map<string, number>();
  const model = tinyModel(async () => countingDevice(await openOnnxDevice(), runs));
  await model.prepare();
  await model.begin(image, size);
  runs.clear();
  await model.generate(request({ steps: 3 }));
  await model.generate(request({ steps: 3, seed: 2n }));
  assert.equal(runs.get("text.k.0"), 1);
  assert.equal(runs.get("velocity"), 6);
  assert.equal(runs.get("latents"), 2);
  assert.equal(runs.get("frames"), 4);
  await model.generate(request({ steps: 3, guidanceScale: 2 }));
  assert.equal(runs.get("text.k.0"), 2);
  assert.equal(runs.get("velocity"), 12);
  await model.unload();
});

test("ActionworldModel reports its steps, and pictures as soon as they are there", async () => {
  const model = await begun();
  const events: string[] = [];
  const shown: number[] = [];
  const clip = await model.generate(request({ frames: 9, actions: new Float32Array(8 * 9), steps: 2 }), {
    onProgress: ({ stage, step, steps }) => events.push(`${stage} ${step} of ${steps}`),
    onFrames: (frames) => {
      events.push(`${frames.count} frames`);
      shown.push(...frames.data);
    },
  });
  assert.deepEqual(events, [
    "denoising 0 of 2",
    "denoising 1 of 2",
    "decoding 2 of 2",
    "1 frames",
    "4 frames",
    "4 frames",
  ]);
  assert.deepEqual(Uint8Array.from(shown), clip.data);
  await model.unload();
});

test("ActionworldModel makes clips of any number of frames, four for every action's latent", async () => {
  const model = await begun();
  const start = await model.snapshot();
  const counts: number[] = [];
  for (const frames of [5, 13, 17]) {
    await model.restore(start);
    counts.push((await model.generate(request({ frames }))).count);
  }
  assert.deepEqual(counts, [5, 13, 17]);
  await model.unload();
});

test("ActionworldModel stops between steps when the signal aborts and stays where it was", async () => {
  const model = await begun();
  const start = await model.snapshot();
  const usual = await model.generate(request());
  await model.restore(start);
  for (const at of ["denoising 1", "decoding 2"]) {
    const abort = new AbortController();
    const generating = model.generate(request(), {
      signal: abort.signal,
      onProgress: ({ stage, step }) => {
        if (`${stage} ${step}` === at) abort.abort(new Error("enough"));
      },
    });
    await assert.rejects(generating, /enough/);
  }
  assert.deepEqual((await model.generate(request())).data, usual.data);
  await model.unload();
});

test("ActionworldModel returns to what it kept, of another size too, and forgets what is released", async () => {
  const model = await begun();
  await model.generate(request());
  const kept = await model.snapshot();
  const next = await model.generate(request());
  await model.begin(image, { width: 32, height: 16 });
  assert.equal((await model.generate(request())).width, 32);
  await model.restore(kept);
  assert.deepEqual((await model.generate(request())).data, next.data);
  await model.release(kept);
  await assert.rejects(model.restore(kept), /Cannot restore state 1: it was not kept or is released/);
  await assert.rejects(model.release(kept), /Cannot release state 1/);
  await model.unload();
});

test("ActionworldModel refuses what it cannot do", async () => {
  const model = tinyModel();
  await assert.rejects(model.begin(image, size), /Cannot use the world model: it is not prepared/);
  await assert.rejects(model.generate(request()), /it is not prepared/);
  const info = await model.prepare();
  assert.equal(info.path, "tiny");
  await assert.rejects(model.generate(request()), /there is no chain/);
  await assert.rejects(model.snapshot(), /there is no chain/);
  await assert.rejects(model.begin(image, { width: 40, height: 32 }), /frames of 40x32: expected multiples of 16/);
  await model.begin(image, size);
  const refused = (changes: Partial<ClipRequest>, message: RegExp) =>
    assert.rejects(model.generate(request(changes)), { name: "RangeError", message });
  await refused({ frames: 1, actions: new Float32Array(0) }, /Cannot generate 1 frames: expected 4n \+ 1, at least 5/);
  await refused({ frames: 7 }, /Cannot generate 7 frames/);
  await refused({ actions: new Float32Array(9) }, /got 9 action numbers, expected 36 finite ones/);
  await refused({ actions: new Float32Array(36).fill(NaN) }, /expected 36 finite ones/);
  await refused({ steps: 0 }, /Cannot plan 0 sampling steps/);
  await refused({ shift: 0 }, /Cannot shift noise levels by 0/);
  await refused({ fps: 0 }, /Cannot generate at 0 frames per second/);
  await refused({ guidanceScale: Infinity }, /guidance scale of Infinity/);
  await model.unload();
  await assert.rejects(model.generate(request()), /it is not prepared/);
});

test("ActionworldModel.prepare() loads once, reports its progress and what is missing", async () => {
  const model = tinyModel();
  const stages = new Set<string>();
  const [a, b] = await Promise.all([
    model.prepare({ onProgress: ({ stage }) => stages.add(stage) }),
    model.prepare(),
  ]);
  assert.deepEqual(a, b);
  assert.deepEqual([...stages], ["loading", "compiling", "ready"]);
  await model.unload();
  const empty = new ActionworldModel({
    id: "empty",
    snapshot: memoryRoot("empty", new Map()),
    openDevice: () => openOnnxDevice(),
  });
  await assert.rejects(empty.prepare(), SvcError);
});

test("ActionworldModel leaves nothing on the device after it was unloaded and starts again", async () => {
  const devices: Device[] = [];
  const model = tinyModel(async () => {
    const device = await openOnnxDevice();
    devices.push(device);
    return device;
  });
  await model.prepare();
  await model.begin(image, size);
  const before = devices[0].memory().allocated;
  await model.generate(request());
  const once = devices[0].memory().allocated;
  await model.generate(request());
  assert.ok(once >= before);
  assert.equal(devices[0].memory().allocated, once);
  await model.unload();
  await model.prepare();
  assert.equal(devices.length, 2);
  await model.unload();
});

test("ActionworldModel gives up when the device is lost and starts a new one at the next prepare", async () => {
  let lose: (reason: string) => void = () => {};
  const losses = [new Promise<string>((resolve) => lose = resolve), new Promise<string>(() => {})];
  let opened = 0;
  const model = tinyModel(async () => ({
    ...countingDevice(await openOnnxDevice(), new Map()),
    lost: losses[opened++],
  }));
  await model.prepare();
  await model.begin(image, size);
  lose("unplugged");
  await losses[0];
  await assert.rejects(model.generate(request()), { name: "SvcError", message: /lost \(unplugged\)/ });
  await model.prepare();
  await assert.rejects(model.generate(request()), /there is no chain/);
  await model.unload();
});
