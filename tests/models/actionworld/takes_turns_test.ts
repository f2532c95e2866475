import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/mod.ts";
import type { Device, Program } from "../../../lib/compute/tensor/mod.ts";
import { compileActions } from "../../../lib/models/actionworld/action_rows.ts";
import { ActionworldEngine } from "../../../lib/models/actionworld/actionworld_engine.ts";
import { generateClip } from "../../../lib/models/actionworld/generate_clip.ts";
import { loadActionworld } from "../../../lib/models/actionworld/loader.ts";
import { takesTurns } from "../../../lib/models/actionworld/takes_turns.ts";
import { describedWeights } from "../../../lib/models/checkpoint/described_weights.ts";
import { vaeShapes } from "../../../lib/models/video_vae/vae_shapes.ts";
import { cosmosEdge } from "../../support/published_worlds.ts";
import { tinyActionworld } from "../../support/tiny_actionworld.ts";
import { memoryRoot } from "../../support/tiny_arworld.ts";

/** The outputs of the programs that sample, and of those that decode. */
const SAMPLED = "velocity";
const DECODED = "frames";

/** Outputs of the programs that are compiled on a device. */
function watch(device: Device): Set<Program> {
  const compiled = new Set<Program>();
  const compile = device.compile.bind(device);
  device.compile = async (graph) => {
    const program = await compile(graph);
    const dispose = program.dispose.bind(program);
    program.dispose = () => {
      compiled.delete(program);
      dispose();
    };
    compiled.add(program);
    return program;
  };
  return compiled;
}

test("a clip whose sampling and decoding take turns is that of programs that are all there, and neither has both", async () => {
  const forward = { motion: "forward", translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] } as const;
  const picture = { width: 48, height: 32, data: new Uint8Array(48 * 32 * 3).fill(90) };
  const clips: Uint8Array[][] = [];
  for (const inTurn of [false, true]) {
    const device = await openOnnxDevice({ threads: 1 });
    const compiled = watch(device);
    const has = (output: string) => [...compiled].some(({ outputs }) => outputs.has(output));
    const engine = new ActionworldEngine(device, await loadActionworld(memoryRoot("tiny", tinyActionworld())));
    const programs = { ...await engine.programs(picture), inTurn };
    engine.programs = () => Promise.resolve(programs);
    const found: Uint8Array[] = [];
    for (const prompt of ["a hall", "a door"]) {
      const request = { prompt, seed: 1n, frames: 5, actions: compileActions(forward, 4), fps: 8, steps: 2, shift: 3 };
      const both: boolean[] = [];
      const note = () => both.push(has(SAMPLED) && has(DECODED));
      const { data } = await generateClip(engine, picture, { ...request, guidanceScale: 2 }, {
        onProgress: ({ stage, step }) => (stage === "decoding" || step > 0) && note(),
        onFrames: note,
      });
      assert.deepEqual(both, new Array(4).fill(!inTurn));
      found.push(data);
    }
    clips.push(found);
    programs.sampler.dispose();
    programs.decoder.dispose();
    await engine.dispose();
    assert.equal(has(SAMPLED) || has(DECODED), false);
  }
  assert.deepEqual(clips[0], clips[1]);
});

test("takesTurns() is for large transformers and large frames on the CPU", () => {
  const config = cosmosEdge();
  const vae = describedWeights(vaeShapes(config.vae));
  const found = (["cpu", "webgpu"] as const).flatMap((kind) =>
    [[40, 22], [52, 30]].map(([width, height]) => takesTurns({ kind }, config, vae, { width, height }))
  );
  assert.deepEqual(found, [false, true, false, false]);
});
