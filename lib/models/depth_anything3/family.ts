/**
 * How Depth Anything 3 is read from its file.
 *
 * @module
 */
import { readDinoV2Config } from "../dinov2/read_config.ts";
import { readDptConfig } from "../dpt/dpt.ts";
import type { NetworkFamily } from "../vision/load_network.ts";
import { headsOf } from "../vision/vision_settings.ts";
import type { DepthAnything3Config } from "./config.ts";
import { DA3_BACKBONE } from "./network.ts";
import { depthAnything3Shapes } from "./tensor_shapes.ts";

const CAMERA_HEADS = 16;

/** Depth Anything 3 with a camera head. */
export const depthAnything3Family: NetworkFamily<DepthAnything3Config> = {
  name: "Depth Anything 3 model",
  shapesOf: depthAnything3Shapes,
  configOf(census, { heads, cameraHeads = CAMERA_HEADS }, problems) {
    const backbone = readDinoV2Config(census, `${DA3_BACKBONE}.`, heads, problems);
    const { dim, depth } = backbone;
    let altStart = 0;
    while (altStart < depth && !census.has(`${DA3_BACKBONE}.blocks.${altStart}.attn.q_norm.weight`)) altStart++;
    // The last four blocks that look across views.
    const outLayers = [7, 5, 3, 1].map((back) => depth - back);
    if (depth % 2 !== 0 || altStart < 1 || outLayers[0] < altStart) {
      problems.push(
        `the backbone has ${depth} blocks, the first with norms of queries being ${altStart}, expected an even number ` +
          `followed by four blocks that attend across views`,
      );
    }
    return {
      backbone,
      altStart,
      outLayers,
      head: readDptConfig(census, "model.head."),
      cameraEncoder: {
        heads: headsOf("camera_heads", dim, cameraHeads, problems),
        depth: census.layers("model.cam_enc.trunk.{i}.norm1.weight"),
      },
    };
  },
};
