import assert from "node:assert/strict";
import { test } from "node:test";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import { proveBounds } from "../../../lib/compute/webgpu/lowering/prove_bounds.ts";
import { DESKTOP_LIMITS, planProgram } from "../../../lib/compute/webgpu/plan_program.ts";
import {
  type ConstantSource,
  isConstant,
  weightPieces,
  weightStep,
} from "../../../lib/compute/webgpu/weight_upload.ts";
import { planActionworldGpu } from "../../../lib/models/actionworld/world_plan.ts";
import { usedTransformerShapes } from "../../../lib/models/actionworld/config.ts";
import { planArworldGpu } from "../../../lib/models/arworld/world_plan.ts";
import { textEncoderShapes, transformerShapes } from "../../../lib/models/arworld/config.ts";
import { describedWeights } from "../../../lib/models/checkpoint/weights.ts";
import { TINY } from "../../../lib/models/video_vae/decoder_graphs.ts";
import { tinyDecoderShapes, tinyWidths } from "../../../lib/models/video_vae/tiny_decoder.ts";
import { vaeShapes } from "../../../lib/models/video_vae/vae_config.ts";
import type { PlanProgram } from "../../../lib/models/world/world_plan.ts";
import { cosmosEdge, dreamx } from "../../support/published_worlds.ts";

/** A card of NVIDIA as Dawn describes it, without checks of indices. */
const LIMITS = {
  ...DESKTOP_LIMITS,
  minStorageBufferOffsetAlignment: 32,
  maxComputeWorkgroupStorageSize: 49152,
  tile: "MATRIX16",
  unchecked: true,
} as const;

/** Plans programs and proves their steps and the uploads of their weights; counts the steps of each kernel. */
function proving(kernels: Map<string, number>): PlanProgram {
  return (graph, precision) => {
    const { steps } = lowerGraph(graph, LIMITS, precision);
    proveBounds(steps);
    const sources = new Set<ConstantSource>();
    for (const { kernel, bindings } of steps) {
      kernels.set(kernel, (kernels.get(kernel) ?? 0) + 1);
      for (const { region: { source } } of bindings) if (isConstant(source)) sources.add(source);
    }
    for (const source of sources) {
      for (const piece of weightPieces(source, precision, LIMITS)) {
        const step = weightStep(source, piece, precision);
        if (step) proveBounds([step]);
      }
    }
    return planProgram(graph, precision, LIMITS);
  };
}

test("every program of a DreamX-World-5B is proved to stay within its memory, with both decoders", async () => {
  const config = dreamx();
  const vae = describedWeights(vaeShapes(config.vae));
  const weights = {
    textEncoder: describedWeights(textEncoderShapes(config.textEncoder)),
    transformer: describedWeights(transformerShapes(config.transformer)),
  };
  const tiny = vae.with(TINY, describedWeights(tinyDecoderShapes(config.vae.zDim, tinyWidths(undefined))));
  for (const decoder of [vae, tiny]) {
    const kernels = new Map<string, number>();
    const size = { width: 512, height: 320 };
    await planArworldGpu({ config, weights: { ...weights, vae: decoder } }, size, "f16", proving(kernels));
    for (const kernel of ["attention_matrix", "conv_tiled", "matmul_tiled"]) assert.ok(kernels.has(kernel), kernel);
  }
});

test("every program of a Cosmos3-Edge is proved to stay within its memory", async () => {
  const config = cosmosEdge();
  const kernels = new Map<string, number>();
  const weights = {
    vae: describedWeights(vaeShapes(config.vae)),
    transformer: describedWeights(usedTransformerShapes(config.transformer)),
  };
  const size = { width: 640, height: 352, frames: 17 };
  await planActionworldGpu(config, weights, size, "f16", proving(kernels));
  for (const kernel of ["attention_matrix", "conv_tiled", "matmul_tiled"]) assert.ok(kernels.has(kernel), kernel);
});
