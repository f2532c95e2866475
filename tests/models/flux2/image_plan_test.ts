import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sizeOf, type StoredTensor, type TensorFile } from "../../../lib/compute/tensor/mod.ts";
import { type Flux2Config, flux2TransformerShapes, flux2VaeShapes } from "../../../lib/models/flux2/config.ts";
import type { TensorShapes } from "../../../lib/models/checkpoint/weights.ts";
import { type ImagePlan, planImage } from "../../../lib/models/image_pipeline/image_plan.ts";
import { flux2Family, type Flux2Files } from "../../../lib/models/flux2/flux2_family.ts";
import type { ImageComponent } from "../../../lib/models/image_pipeline/open_components.ts";
import { parseFlux2Config } from "../../../lib/models/flux2/parse_config.ts";
import { qwen3Shapes } from "../../../lib/models/qwen3/config.ts";

const names = new URL("../../goldens/data/images/names.json", import.meta.url);
const { folders } = JSON.parse(readFileSync(names, "utf8"));
const klein = parseFlux2Config({
  index: folders["model_index.json"],
  textEncoder: folders["text_encoder/config.json"],
  transformer: folders["transformer/config.json"],
  vae: folders["vae/config.json"],
  scheduler: folders["scheduler/scheduler_config.json"],
});

/** A component of the true shapes without weights; matrices in 8 bits on request. */
function component(shapes: TensorShapes, q8: boolean): ImageComponent {
  const tensors = new Map<string, StoredTensor>();
  const add = (name: string, dtype: StoredTensor["dtype"], shape: readonly number[], bytes: number) =>
    void tensors.set(name, { name, dtype, shape, offset: 0, byteLength: sizeOf(shape) * bytes });
  for (const [name, shape] of shapes) {
    if (!q8 || shape.length !== 2) {
      add(name, "BF16", shape, 2);
      continue;
    }
    const [rows, columns] = shape;
    add(`${name}.q8`, "U8", [rows, Math.ceil(columns / 32) * 32], 1);
    add(`${name}.scales`, "F16", [rows, Math.ceil(columns / 32)], 2);
  }
  const file: TensorFile = {
    name: "planned",
    metadata: new Map(),
    tensors,
    read: () => Promise.reject(new Error("a plan reads no weights")),
  };
  const storedBytes = [...tensors.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { file, shapes, storedBytes, read: () => Promise.reject(new Error("a plan reads no weights")) };
}

function kleinFiles(config: Flux2Config, q8: boolean): Flux2Files {
  const textEncoder = qwen3Shapes(config.textEncoder, Math.max(...config.textStates));
  return {
    name: "klein",
    config,
    family: flux2Family(config),
    tokenizer: { tokenizer: undefined, config: undefined, template: undefined },
    components: {
      text_encoder: component(textEncoder, q8),
      transformer: component(flux2TransformerShapes(config.transformer), q8),
      vae: component(flux2VaeShapes(config.vae), false),
    },
  };
}

const gpu = { kind: "webgpu", precision: "f16" } as const;

function figures(plan: ImagePlan): Record<string, readonly string[]> {
  return Object.fromEntries(plan.programs.map(({ name, flops, weightBytes }) => [
    name,
    [(flops / 1e12).toFixed(1), (weightBytes / 1e9).toFixed(2)],
  ]));
}

test("planImage() plans FLUX.2 klein 4B at 512x512 without a weight", () => {
  const sizes = { image: { width: 32, height: 32 }, references: [], start: false };
  const plan = planImage(kleinFiles(klein, false), sizes, gpu);
  // Tera-operations and gigabytes of 16-bit weights.
  assert.deepEqual(figures(plan), {
    text_encoder: ["2.9", "5.45"],
    transformer: ["10.2", "7.75"],
    decoder: ["2.5", "0.10"],
  });
  assert.ok(plan.togetherBytes < 14e9);
  for (const { activationBytes } of plan.programs) assert.ok(activationBytes < 0.5e9);
});

test("planImage() counts quantised weights and references", () => {
  const image = { width: 32, height: 32 };
  const plan = planImage(
    kleinFiles(klein, true),
    { image, references: [image, { width: 8, height: 40 }], start: true },
    gpu,
  );
  assert.deepEqual(figures(plan), {
    text_encoder: ["2.9", "2.90"],
    encoder: ["1.1", "0.07"],
    transformer: ["20.2", "4.12"],
    decoder: ["2.5", "0.10"],
  });
});

test("planImage() plans the largest images and most references there can be", () => {
  const image = { width: 256, height: 64 };
  const references = new Array(8).fill({ width: 64, height: 64 });
  const plan = planImage(kleinFiles(klein, false), { image, references, start: true }, {
    kind: "cpu",
    precision: "f32",
  });
  assert.equal(plan.programs.length, 4);
  for (const p of plan.programs) assert.ok(p.compilingBytes >= p.keptBytes && p.keptBytes >= p.weightBytes);
  const transformer = plan.programs.find(({ name }) => name === "transformer")!;
  assert.ok(transformer.compilingBytes > 23e9, "weights as floats and as they were read");
  assert.ok(Number.isSafeInteger(plan.togetherBytes));
});
