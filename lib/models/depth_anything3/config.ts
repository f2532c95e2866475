/**
 * What a Depth Anything 3 network looks like: its sizes, how they are read from its file, and its weights.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import type { NetworkFamily } from "../vision/load_network.ts";
import { headsOf } from "../vision/network_sizes.ts";
import {
  addDinoV2Shapes,
  addPair,
  addVisionBlockShapes,
  type DinoV2Config,
  readDinoV2Config,
} from "../vision_transformer/dinov2_config.ts";
import { addDptShapes, type DptConfig, readDptConfig } from "../vision_transformer/dpt.ts";

/** Depth Anything 3 (Lin et al. 2025): DINOv2 whose later blocks look across views, a DPT head, a camera head. */
export interface DepthAnything3Config {
  readonly backbone: DinoV2Config;
  /** First block with rotary positions, norms of queries and keys, and a camera token instead of the class token. */
  readonly altStart: number;
  /** Blocks whose outputs are used, ascending; every one looks across views. */
  readonly outLayers: readonly number[];
  readonly head: DptConfig;
  readonly cameraEncoder: { readonly heads: number; readonly depth: number };
}

/** Prefix of the backbone's weights. */
export const DA3_BACKBONE = "model.backbone.pretrained";

/** Floor of the variance in norms outside the backbone's blocks. */
export const DA3_EPS = 1e-5;

/** Whether a block looks across views. */
export function looksAcross(config: DepthAnything3Config, block: number): boolean {
  return block >= config.altStart && block % 2 === 1;
}

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

/** Weights by the names of the published checkpoints, without the branch of rays. */
export function depthAnything3Shapes(c: DepthAnything3Config): TensorShapes {
  const shapes = new Map<string, Shape>();
  const { dim, depth, heads } = c.backbone;
  const linear = (name: string, output: number, input: number) => addPair(shapes, name, [output, input], output);

  const backbone = "model.backbone.pretrained.";
  addDinoV2Shapes(shapes, backbone, c.backbone);
  shapes.set(`${backbone}camera_token`, [1, 2, dim]);
  for (let i = c.altStart; i < depth; i++) {
    for (const which of ["q", "k"]) {
      addPair(shapes, `${backbone}blocks.${i}.attn.${which}_norm`, [dim / heads], dim / heads);
    }
  }
  addPair(shapes, "model.head.norm", [2 * dim], 2 * dim);
  addDptShapes(shapes, "model.head.", c.head, 2);

  linear("model.cam_dec.backbone.0", 2 * dim, 2 * dim);
  linear("model.cam_dec.backbone.2", 2 * dim, 2 * dim);
  linear("model.cam_dec.fc_t", 3, 2 * dim);
  linear("model.cam_dec.fc_qvec", 4, 2 * dim);
  linear("model.cam_dec.fc_fov.0", 2, 2 * dim);
  linear("model.cam_enc.pose_branch.fc1", dim / 2, 9);
  linear("model.cam_enc.pose_branch.fc2", dim, dim / 2);
  addPair(shapes, "model.cam_enc.token_norm", [dim], dim);
  for (let i = 0; i < c.cameraEncoder.depth; i++) {
    addVisionBlockShapes(shapes, `model.cam_enc.trunk.${i}.`, dim, 4 * dim);
  }
  addPair(shapes, "model.cam_enc.trunk_norm", [dim], dim);
  return shapes;
}
