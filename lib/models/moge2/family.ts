/**
 * How MoGe-2 is read from its file.
 *
 * @module
 */
import type { NetworkFamily } from "../vision/load_network.ts";
import type { TensorCensus } from "../vision/tensor_census.ts";
import { fourBlocks, readDinoV2Config } from "../vision_transformer/dinov2_config.ts";
import { type ConvStackConfig, MOGE2_HEADS, type Moge2Config } from "./config.ts";
import { moge2Shapes } from "./tensor_shapes.ts";

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
