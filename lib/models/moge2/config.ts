/**
 * What a MoGe-2 network looks like: its sizes, how they are read from its file, and its weights.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import type { NetworkFamily } from "../vision/load_network.ts";
import type { TensorCensus } from "../vision/network_sizes.ts";
import {
  addDinoV2Shapes,
  addPair,
  type DinoV2Config,
  fourBlocks,
  readDinoV2Config,
} from "../vision_transformer/dinov2_config.ts";

/** A stack of convolutions over five resolutions, each twice as fine as the one before. */
export interface ConvStackConfig {
  /** Residual blocks of each level. */
  readonly blocks: readonly number[];
}

/** MoGe-2 (Wang et al. 2025) with normals: a DINOv2 encoder, a neck and three heads of convolutions, a scale. */
export interface Moge2Config {
  readonly encoder: DinoV2Config;
  /** Blocks of the encoder whose outputs are used, ascending. */
  readonly take: readonly number[];
  /** Channels of each level, coarsest first. */
  readonly dims: readonly number[];
  readonly neck: ConvStackConfig;
  readonly heads: ConvStackConfig;
}

/** The heads that a network with normals has. */
const MOGE2_HEADS = ["points_head", "normal_head", "mask_head"] as const;

/** MoGe-2 with normals. */
export const moge2Family: NetworkFamily<Moge2Config> = {
  name: "MoGe-2 model",
  shapesOf: moge2Shapes,
  configOf(census, { heads }, problems) {
    const encoder = readDinoV2Config(census, "encoder.backbone.", heads, problems);
    const levels = census.layers("neck.input_blocks.{i}.weight");
    const dims = Array.from({ length: levels }, (_, i) => census.size(`neck.input_blocks.${i}.weight`, 0));
    if (levels < 2) problems.push(`the neck has ${levels} levels, expected 2 or more`);
    return {
      encoder,
      take: fourBlocks(encoder.depth, problems),
      dims,
      neck: stackOf(census, "neck", levels),
      heads: stackOf(census, MOGE2_HEADS[0], levels),
    };
  },
};

function stackOf(census: TensorCensus, name: string, levels: number): ConvStackConfig {
  const blocks = (level: number) => census.layers(`${name}.res_blocks.${level}.{i}.layers.2.weight`);
  return { blocks: Array.from({ length: levels }, (_, level) => blocks(level)) };
}

/** Weights by the names of the published checkpoints. */
export function moge2Shapes(c: Moge2Config): TensorShapes {
  const shapes = new Map<string, Shape>();
  const conv = (name: string, output: number, input: number, kernel: number) =>
    addPair(shapes, name, [output, input, kernel, kernel], output);
  const last = c.dims.length - 1;

  const stack = (name: string, stackConfig: ConvStackConfig, inputs: readonly number[]) => {
    c.dims.forEach((dim, level) => {
      conv(`${name}.input_blocks.${level}`, dim, inputs[level], 1);
      for (let i = 0; i < stackConfig.blocks[level]; i++) {
        conv(`${name}.res_blocks.${level}.${i}.layers.2`, dim, dim, 3);
        conv(`${name}.res_blocks.${level}.${i}.layers.5`, dim, dim, 3);
      }
      if (level === last) return;
      const next = c.dims[level + 1];
      const resampler = `${name}.resamplers.${level}`;
      if (level < last - 1) addPair(shapes, `${resampler}.0`, [dim, next, 2, 2], next);
      conv(`${resampler}.1`, next, level < last - 1 ? next : dim, 3);
    });
  };

  addDinoV2Shapes(shapes, "encoder.backbone.", c.encoder);
  c.take.forEach((_, i) => conv(`encoder.output_projections.${i}`, c.dims[0], c.encoder.dim, 1));
  stack("neck", c.neck, c.dims.map((dim, level) => (level === 0 ? dim + 2 : 2)));
  for (const name of MOGE2_HEADS) {
    stack(name, c.heads, c.dims);
    conv(`${name}.output_blocks.${last}`, name === "mask_head" ? 1 : 3, c.dims[last], 1);
  }
  addPair(shapes, "scale_head.0", [c.encoder.dim, c.encoder.dim], c.encoder.dim);
  addPair(shapes, "scale_head.2", [c.encoder.dim, c.encoder.dim], c.encoder.dim);
  addPair(shapes, "scale_head.4", [1, c.encoder.dim], 1);
  return shapes;
}
