/**
 * The sizes of DINOv2 from its tensors.
 *
 * @module
 */
import type { TensorCensus } from "../vision/tensor_census.ts";
import { headsOf } from "../vision/vision_settings.ts";
import type { DinoV2Config } from "./config.ts";

/** Reads the sizes of the backbone below `prefix`. */
export function readDinoV2Config(
  census: TensorCensus,
  prefix: string,
  heads: number | undefined,
  problems: string[],
): DinoV2Config {
  const dim = census.size(`${prefix}cls_token`, 2);
  return {
    dim,
    depth: census.layers(`${prefix}blocks.{i}.norm1.weight`),
    heads: headsOf("heads", dim, heads, problems),
    hidden: census.size(`${prefix}blocks.0.mlp.fc1.weight`, 0),
    patch: census.size(`${prefix}patch_embed.proj.weight`, 2),
    grid: census.gridSide(`${prefix}pos_embed`),
  };
}

/** Four blocks at equal distances, the last one among them; adds to `problems` when there are too few. */
export function fourBlocks(depth: number, problems: string[]): number[] {
  if (depth < 4) problems.push(`the backbone has ${depth} blocks, expected 4 or more`);
  return [1, 2, 3, 4].map((i) => Math.round(i * depth / 4) - 1);
}
