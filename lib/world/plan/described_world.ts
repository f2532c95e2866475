/**
 * World models of which only configurations and headers are read: enough to plan with.
 *
 * @module
 */
import { onnxMemory } from "../../compute/onnx/onnx_memory.ts";
import { planProgram } from "../../compute/webgpu/plan_program.ts";
import type { Precision } from "../../compute/tensor/mod.ts";
import { planActionworld, planActionworldGpu } from "../../models/actionworld/world_plan.ts";
import { openActionworld } from "../../models/actionworld/loader.ts";
import {
  arworldChainBytes,
  planArworld,
  planArworldGpu,
  type PlannedArworld,
} from "../../models/arworld/world_plan.ts";
import { placesBeside } from "../../models/arworld/config.ts";
import { openArworld } from "../../models/arworld/loader.ts";
import { type ModelRoot, subfolder } from "../../models/checkpoint/model_root.ts";
import type { PlannedSize } from "../../models/world/memory_plan.ts";
import type { WorldPlan } from "../../models/world/world_plan.ts";

/** A world model that can be planned for any size. */
export interface DescribedWorld {
  readonly kind: "arworld" | "actionworld";
  /** The size that the model names as its own. */
  readonly own: { readonly width: number; readonly height: number } | undefined;
  /** Bytes of all its files of weights. */
  readonly fileBytes: number;
  /** Frames of a block or of a clip. */
  readonly frames: number;
  /** The plan for a GPU. */
  gpu(size: PlannedSize, precision: Precision): Promise<WorldPlan>;
  /** Bytes of the whole process on the CPU. */
  cpu(size: PlannedSize): Promise<number>;
  /** Bytes of one world between two moves, besides everything that worlds share. */
  chain(size: PlannedSize, bytesPerNumber: number): number;
}

/**
 * Reads the two folders of an arworld, and those of the worlds beside it: what is planned is the largest of them.
 *
 * @throws {SvcError} `model_invalid` that names everything missing or wrong.
 */
export async function describeArworld(
  base: ModelRoot,
  causal: ModelRoot,
  decoder?: "full" | "tiny",
): Promise<DescribedWorld> {
  const { config, describe, fileBytes } = await openArworld(base, causal, decoder);
  const first: PlannedArworld = { config, weights: describe() };
  const others = await Promise.all(
    [...placesBeside(config)].map((place) => openArworld(subfolder(base, place), subfolder(causal, place), decoder)),
  );
  const worlds = [
    first,
    ...others.map((other) => ({ config: other.config, weights: other.describe(), beside: first })),
  ];
  const { defaultWidth: width, defaultHeight: height } = config;
  return {
    ...{ kind: "arworld", own: width && height ? { width, height } : undefined, frames: 12 },
    fileBytes: others.reduce((sum, other) => sum + other.fileBytes, fileBytes),
    gpu: async (size, precision) => {
      const plans = await Promise.all(worlds.map((world) => planArworldGpu(world, size, precision, planProgram)));
      return plans.reduce((largest, plan) => plan.totalBytes > largest.totalBytes ? plan : largest);
    },
    cpu: async (size) => Math.max(...await Promise.all(worlds.map((world) => planArworld(world, size, onnxMemory)))),
    chain: (size, bytes) => Math.max(...worlds.map((world) => arworldChainBytes(world, size, bytes))),
  };
}

/**
 * Reads the folder of an actionworld.
 *
 * @throws {SvcError} `model_invalid` that names everything missing or wrong.
 */
export async function describeActionworld(root: ModelRoot): Promise<DescribedWorld> {
  const { config, describe, fileBytes } = await openActionworld(root);
  const weights = describe();
  const { defaultWidth: width, defaultHeight: height } = config;
  return {
    ...{ kind: "actionworld", own: width && height ? { width, height } : undefined, fileBytes, frames: 17 },
    gpu: (size, precision) => planActionworldGpu(config, weights, size, precision, planProgram),
    cpu: (size) => planActionworld(config, size, onnxMemory, weights),
    chain: ({ width, height }) => 2 * width * height * 3, // the picture that it shows, and the one before
  };
}
