import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import {
  byteSource,
  type Device,
  encodeSafetensors,
  openSafetensors,
  quantize,
  type Tensor,
} from "../../../lib/compute/tensor/mod.ts";
import { ImagePipeline } from "../../../lib/models/image_pipeline/image_pipeline.ts";
import { openFlux2 } from "../../../lib/models/flux2/flux2_family.ts";
import { imageModel } from "../../fixtures/tiny_models/image_model.ts";
import type { ModelFiles } from "../../fixtures/tiny_models/model_files.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";
import { rootOf } from "./tiny_pipeline.ts";

const request = { prompt: "a red hall", width: 48, height: 32, seed: 3n, steps: 2 };

/** The tiny model with short prompts, which are quick on a software adapter. */
function shortModel(): ModelFiles {
  const files = imageModel();
  const index = JSON.parse(new TextDecoder().decode(files["model_index.json"]));
  return {
    ...files,
    "model_index.json": new TextEncoder().encode(JSON.stringify({ ...index, max_sequence_length: 64 })),
  };
}

/** The tiny model with all matrices of text encoder and transformer in few bits. */
async function quantizedModel(bits: 4 | 8): Promise<ModelFiles> {
  const files = { ...shortModel() };
  for (const path of Object.keys(files).filter((name) => /^(text_encoder|transformer).*safetensors$/.test(name))) {
    const file = await openSafetensors(path, byteSource(files[path]));
    const tensors = new Map<string, Tensor>();
    for (const name of file.tensors.keys()) {
      const weight = await file.read(name);
      if (weight.shape.length !== 2) tensors.set(name, weight);
      else {
        const { values, scales } = quantize(weight, { bits, groupSize: 16 });
        tensors.set(`${name}.q${bits}`, values).set(`${name}.scales`, scales);
      }
    }
    files[path] = encodeSafetensors(tensors);
  }
  const index = "text_encoder/model.safetensors.index.json";
  const shards = Object.keys(files).filter((name) => /^text_encoder.*safetensors$/.test(name));
  const places: [string, string][] = [];
  for (const path of shards) {
    const { tensors } = await openSafetensors(path, byteSource(files[path]));
    for (const name of tensors.keys()) places.push([name, path.slice(path.indexOf("/") + 1)]);
  }
  files[index] = new TextEncoder().encode(JSON.stringify({ weight_map: Object.fromEntries(places) }));
  return files;
}

async function generate(device: Device, files: ModelFiles): Promise<Uint8Array> {
  const pipeline = new ImagePipeline({ files: await openFlux2(rootOf(files)), device });
  try {
    return (await pipeline.generate(request)).data;
  } finally {
    pipeline.dispose();
  }
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
}

test("a quantised pipeline makes nearly the same image, on the CPU and on WebGPU", async (t) => {
  const cpu = await openOnnxDevice({ threads: 1 });
  t.after(() => cpu.dispose());
  const exact = await generate(cpu, shortModel());
  const [eight, four] = [await generate(cpu, await quantizedModel(8)), await generate(cpu, await quantizedModel(4))];
  const [lost8, lost4] = [meanDifference(exact, eight), meanDifference(exact, four)];
  assert.ok(lost8 < 1.5, `8 bits change ${lost8} levels`);
  assert.ok(lost4 > 3 * lost8, `4 bits change ${lost4} levels`);

  const gpu = await openTestDevice();
  if (typeof gpu === "string") return t.diagnostic(gpu);
  t.after(() => gpu.dispose());
  const other = await generate(gpu, await quantizedModel(8));
  assert.ok(meanDifference(eight, other) < 0.05);
});
