import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import {
  type Device,
  encodeSafetensors,
  f32,
  openSafetensors,
  type Tensor,
  toFloat32,
} from "../../../lib/compute/tensor/mod.ts";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { Weights } from "../../../lib/models/checkpoint/weights.ts";
import { tinyDecoderGraph, tinyDecoderShapes, tinyWidths } from "../../../lib/models/video_vae/tiny_decoder.ts";
import { Golden } from "../../goldens/golden.ts";
import { unpackGolden } from "../../goldens/packed/packed_golden.ts";
import { memoryRoot, randomWeight, tinyArworld } from "../../support/tiny_arworld.ts";
import { seededRandom } from "../../support/random.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

const file = await openSafetensors(
  "tiny_decoder",
  unpackGolden(readFileSync(new URL("./data/tiny_decoder.golden", import.meta.url))),
);
const golden = await Golden.read(file);

async function weightsOf(): Promise<Map<string, Tensor>> {
  const names = [...file.tensors.keys()].filter((name) => name.startsWith("decoder."));
  return new Map(await Promise.all(names.map(async (name) => [name, await file.read(name)] as const)));
}

/** Decodes latents call by call, as a stream. */
async function stream(device: Device, latents: Tensor, groups: readonly number[]): Promise<number[]> {
  const weights = new Weights(await weightsOf());
  const [, ...frame] = latents.shape;
  const length = frame.reduce((n, side) => n * side, 1);
  const frames: number[] = [];
  let history: Record<string, Tensor> = {};
  let at = 0;
  for (const [call, count] of groups.entries()) {
    const program = await device.compile(tinyDecoderGraph(weights, [count, ...frame], call === 0 ? "first" : "later"));
    const part = toFloat32(latents).subarray(at * length, (at += count) * length);
    const outputs = await program.run({ latents: f32([count, ...frame], part), ...history });
    history = {};
    for (const [name, value] of Object.entries(outputs)) {
      const read = await value.read();
      value.release();
      if (name === "frames") { for (const x of toFloat32(read)) frames.push(x); }
      else history[name] = read;
    }
    program.dispose();
  }
  device.dispose();
  return frames;
}

test("the tiny decoder gives PyTorch's frames in any grouping of a stream, on CPU and WebGPU", async (t) => {
  const latents = await file.read("latents");
  assert.deepEqual([...tinyDecoderShapes(4, tinyWidths(file)).keys()].sort(), [...(await weightsOf()).keys()].sort());
  const check = (frames: readonly number[]) => {
    golden.compare("frames", frames, 0.01);
    const compared = golden.comparisons.splice(0);
    assert.deepEqual(compared.map(({ name }) => name), ["frames", "frames, means of rows", "frames, means of columns"]);
    assert.deepEqual(compared.filter(({ maxAbs }) => !(maxAbs < 0.01)), []);
  };
  for (const groups of [[4], [1, 3], [1, 1, 2]]) {
    check(await stream(await openOnnxDevice({ threads: 1 }), latents, groups));
  }
  const device = await openTestDevice();
  if (typeof device === "string") return t.diagnostic(`no WebGPU: ${device}`);
  check(await stream(device, latents, [3, 1]));
});

test("an arworld decodes with the tiny decoder on request, and names the file that it lacks", async () => {
  const { base, causal } = tinyArworld();
  const load = () => loadArworld(memoryRoot("base", base), memoryRoot("causal", causal), { decoder: "tiny" });
  await assert.rejects(load(), { code: "model_invalid", message: /base\/tiny_decoder\.safetensors is missing/ });
  const random = seededRandom(5);
  const shapes = tinyDecoderShapes(4, [8, 6, 4, 4]);
  const tensors = new Map([...shapes].map(([name, shape]) => [name, randomWeight(name, shape, random)]));
  base.set("tiny_decoder.safetensors", encodeSafetensors(tensors));
  const picture = { width: 32, height: 32, data: new Uint8Array(32 * 32 * 3).fill(80) };
  const model = new ArworldModel({
    ...{ id: "tiny", base: memoryRoot("base", base), causal: memoryRoot("causal", causal), decoder: "tiny" as const },
    openDevice: () => openOnnxDevice({ threads: 1 }),
  });
  await model.prepare();
  await model.begin(picture, { width: 32, height: 32 });
  const views = Float32Array.from({ length: 48 }, (_, i) => i % 16 % 5 === 0 ? 1 : 0);
  for (const [seed, count] of [[1n, 9], [2n, 12]] as const) {
    const block = await model.generate({ prompt: "a hall", seed, views });
    assert.deepEqual([block.count, block.data.length], [count, count * 32 * 32 * 3]);
    assert.ok(new Set(block.data).size > 8, "a picture, not one colour");
  }
  await model.unload();
  base.set("tiny_decoder.safetensors", encodeSafetensors(new Map([...tensors].slice(1))));
  await assert.rejects(load(), { code: "model_invalid", message: /decoder\.1\.weight/ });
});
