/**
 * The sizes of DINO from its tensors.
 *
 * @module
 */
import type { TensorCensus } from "../vision/tensor_census.ts";
import { headsOf } from "../vision/vision_settings.ts";
import type { DinoConfig } from "./config.ts";

/** Reads the sizes of the encoder below `prefix`. */
export function readDinoConfig(
  census: TensorCensus,
  prefix: string,
  heads: number | undefined,
  problems: string[],
): DinoConfig {
  const dim = census.size(`${prefix}embeddings.cls_token`, 2);
  const modulation = `${prefix}encoder.layer.0.adaLN_modulation.1.weight`;
  return {
    dim,
    depth: census.layers(`${prefix}encoder.layer.{i}.layernorm_before.weight`),
    heads: headsOf("heads", dim, heads, problems),
    hidden: census.size(`${prefix}encoder.layer.0.intermediate.dense.weight`, 0),
    patch: census.size(`${prefix}embeddings.patch_embeddings.projection.weight`, 2),
    grid: census.gridSide(`${prefix}embeddings.position_embeddings`),
    ...(census.has(modulation) && { condition: census.size(modulation, 1) }),
  };
}
