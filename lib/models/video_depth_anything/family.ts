/**
 * How Video Depth Anything is read from its file.
 *
 * @module
 */
import { fourBlocks, readDinoV2Config } from "../dinov2/read_config.ts";
import { readDptConfig } from "../dpt/dpt.ts";
import type { NetworkFamily } from "../vision/load_network.ts";
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
