/**
 * Names and shapes of the weights of Depth Anything 3.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import { addDinoV2Shapes, addPair, addVisionBlockShapes } from "../dinov2/tensor_shapes.ts";
import { addDptShapes } from "../dpt/dpt.ts";
import type { DepthAnything3Config } from "./config.ts";

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
