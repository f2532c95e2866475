/**
 * How Video Depth Anything is read from its file.
 *
 * @module
 */
import type { NetworkFamily } from "../vision/load_network.ts";
import { fourBlocks, readDinoV2Config } from "../vision_transformer/dinov2_config.ts";
import { readDptConfig } from "../vision_transformer/dpt.ts";
import type { VideoDepthConfig } from "./config.ts";
import { videoDepthShapes } from "./tensor_shapes.ts";

/** Video Depth Anything, relative or metric. */
export const videoDepthFamily: NetworkFamily<VideoDepthConfig> = {
  name: "Video Depth Anything model",
  shapesOf: videoDepthShapes,
  configOf(census, { heads }, problems) {
    const backbone = readDinoV2Config(census, "pretrained.", heads, problems);
    return { backbone, take: fourBlocks(backbone.depth, problems), head: readDptConfig(census, "head.") };
  },
};
