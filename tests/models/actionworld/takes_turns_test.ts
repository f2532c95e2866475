import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import type { Device, Program } from "../../../lib/compute/tensor/mod.ts";
import { compileActions } from "../../../lib/models/actionworld/action_rows.ts";
import { ActionworldEngine } from "../../../lib/models/actionworld/actionworld_engine.ts";
import { generateClip } from "../../../lib/models/actionworld/generate_clip.ts";
import { loadActionworld } from "../../../lib/models/actionworld/loader.ts";
import { takesTurns } from "../../../lib/models/actionworld/takes_turns.ts";
import { LoadMeter } from "../../../lib/models/checkpoint/load_meter.ts";
import { describedWeights } from "../../../lib/models/checkpoint/weights.ts";
import { vaeShapes } from "../../../lib/models/video_vae/vae_config.ts";
import { cosmosEdge } from "../../support/published_worlds.ts";
import { tinyActionworld } from "../../support/tiny_actionworld.ts";
import { memoryRoot } from "../../support/tiny_arworld.ts";

/** The outputs of the programs that sample, and of those that decode. */
const SAMPLED = "velocity";
const DECODED = "frames";

const forward = { direction: [0, 0, 1], translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] } as const;
const picture = { width: 48, height: 32, data: new Uint8Array(48 * 32 * 3).fill(90) };
const request = {
  ...{ prompt: "a hall", seed: 1n, frames: 5, actions: compileActions(forward, 4), fps: 8 },
  ...{ steps: 2, shift: 3, guidanceScale: 2 },
};

interface WatchedEngine {
  readonly engine: ActionworldEngine;
  readonly device: Device;
  /** Whether a program with this output is there. */
  readonly has: (output: string) => boolean;
  /** The next program with this output is not compiled. */
  readonly refuse: (output: string) => void;
}

async function watchedEngine(inTurn: boolean): Promise<WatchedEngine> {
  const device = await openOnnxDevice({ threads: 1 });
  const compiled = new Set<Program>();
  const compile = device.compile.bind(device);
  let refused: string | undefined;
  device.compile = async (graph) => {
    if (refused !== undefined && graph.outputs.has(refused)) {
      refused = undefined;
      throw new Error("there is no memory for it");
    }
    const program = await compile(graph);
    const dispose = program.dispose.bind(program);
    program.dispose = () => {
      compiled.delete(program);
      dispose();
    };
    compiled.add(program);
    return program;
  };
  const engine = new ActionworldEngine(
    device,
    await loadActionworld(memoryRoot("tiny", tinyActionworld())),
    new LoadMeter(),
    inTurn,
  );
  const has = (output: string) => [...compiled].some(({ outputs }) => outputs.has(output));
  return { engine, device, has, refuse: (output) => refused = output };
}

test("a clip whose sampling and decoding take turns is that of programs that are all there, and neither has both", async () => {
  const clips: Uint8Array[][] = [];
  for (const inTurn of [false, true]) {
    const { engine, has } = await watchedEngine(inTurn);
    await engine.programs(picture);
    assert.deepEqual([has(SAMPLED), has(DECODED)], [false, !inTurn]);
    const found: Uint8Array[] = [];
    for (const prompt of ["a hall", "a door"]) {
      const both: boolean[] = [];
      const note = () => both.push(has(SAMPLED) && has(DECODED));
      const { data } = await generateClip(engine, picture, { ...request, prompt }, {
        onProgress: ({ stage, step }) => (stage === "decoding" || step > 0) && note(),
        onFrames: note,
      });
      assert.deepEqual(both, new Array(4).fill(!inTurn));
      found.push(data);
    }
    clips.push(found);
    await engine.dispose();
    assert.equal(has(SAMPLED) || has(DECODED), false);
  }
  assert.deepEqual(clips[0], clips[1]);
});

for (const inTurn of [false, true]) {
  test(`a clip is what it is alone where others have the turn between its steps, ${inTurn ? "in" : "without"} turns of programs`, async () => {
    const { engine } = await watchedEngine(inTurn);
    const clip = { ...request, frames: 9, actions: compileActions(forward, 8), steps: 3 };
    const whole = await generateClip(engine, picture, clip, {});
    const other = { width: 32, height: 48, data: new Uint8Array(32 * 48 * 3).fill(200) };
    let passed = 0;
    const turn = {
      isWanted: true,
      pass: async () => {
        const prompt = `another one ${++passed}`; // so that the texts of the first are forgotten
        await generateClip(engine, other, { ...request, prompt }, {});
      },
    };
    assert.deepEqual(await generateClip(engine, picture, clip, {}, turn), whole);
    assert.equal(passed, inTurn ? 5 : 7);
    const stop = new AbortController();
    const reason = new Error("left");
    const pass = (): Promise<void> => {
      stop.abort(reason);
      return Promise.reject(reason);
    };
    await assert.rejects(
      generateClip(engine, picture, clip, { signal: stop.signal }, { isWanted: true, pass }),
      reason,
    );
    assert.deepEqual(await generateClip(engine, picture, clip, {}), whole);
    await engine.dispose();
  });
}

test("clips that are cut off in either turn keep neither memory nor the next clip from being right", async () => {
  const { engine, device, has, refuse } = await watchedEngine(true);
  const whole = await generateClip(engine, picture, request, {});
  const held = device.memory().allocated;
  for (const [stage, at] of [["denoising", 0], ["denoising", 1], ["decoding", 2]] as const) {
    const stop = new AbortController();
    const onProgress = (now: { stage: string; step: number }) => now.stage === stage && now.step === at && stop.abort();
    await assert.rejects(generateClip(engine, picture, request, { signal: stop.signal, onProgress }), {
      name: "AbortError",
    });
    assert.equal(has(SAMPLED) && has(DECODED), false);
    assert.deepEqual(await generateClip(engine, picture, request, {}), whole);
    assert.equal(device.memory().allocated, held);
  }
  const stop = new AbortController();
  const first = generateClip(engine, picture, request, { signal: stop.signal, onFrames: () => stop.abort() });
  await assert.rejects(first, { name: "AbortError" });
  for (const output of [SAMPLED, DECODED]) {
    refuse(output);
    await assert.rejects(generateClip(engine, picture, request, {}), /there is no memory for it/);
    assert.deepEqual(await generateClip(engine, picture, request, {}), whole);
    assert.equal(device.memory().allocated, held);
  }
  await engine.dispose();
  assert.equal(device.memory().allocated, 0);
});

test("takesTurns() is for large transformers and large frames on the CPU", () => {
  const config = cosmosEdge();
  const vae = describedWeights(vaeShapes(config.vae));
  const found = (["cpu", "webgpu"] as const).flatMap((kind) =>
    [[40, 22], [52, 30]].map(([width, height]) => takesTurns({ kind }, config, vae, { width, height }))
  );
  assert.deepEqual(found, [false, true, false, false]);
});
