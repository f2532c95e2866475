/**
 * Inputs of a pass besides weights and state: rotary tables and camera matrices.
 *
 * @module
 */
import { f32, type Graph, type Tensor } from "../../../compute/tensor/mod.ts";
import { cameraMatrices, type Intrinsics } from "../camera/camera.ts";
import type { TransformerConfig } from "../config.ts";
import { ropeTables } from "../rope.ts";
import { LATENTS_PER_BLOCK } from "../camera/trajectory.ts";
import type { WindowRope } from "./window_attention.ts";

/** Rotary tables of a block after `context` blocks, as constants of a graph. */
export function windowRope(graph: Graph, config: TransformerConfig, context: number, gridSize: GridSize): WindowRope {
  const headDim = config.dim / config.numHeads;
  const first = context * LATENTS_PER_BLOCK;
  const table = (start: number, end: number) => {
    const frames = Array.from({ length: end - start }, (_, i) => start + i);
    const { cos, sin } = ropeTables(headDim, frames, gridSize.rows, gridSize.columns);
    const shape = [frames.length * gridSize.rows * gridSize.columns, headDim / 2];
    return { cos: graph.constant(f32(shape, cos)), sin: graph.constant(f32(shape, sin)) };
  };
  return { queries: table(first, first + LATENTS_PER_BLOCK), keys: table(0, first + LATENTS_PER_BLOCK) };
}

/** Tokens of a frame. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
}

/** The matrices of the camera attention, [F,4,4] each, by the names of `CameraValues`. */
export interface CameraTensors {
  readonly p: Tensor;
  readonly pTransposed: Tensor;
  readonly pInverseTransposed: Tensor;
}

/** Matrices of F views [F,16] as the camera attention multiplies rows by them. */
export function cameraTensors(views: ArrayLike<number>, intrinsics?: Intrinsics): CameraTensors {
  const { p, pTransposed, pInverse } = cameraMatrices(views, intrinsics);
  const shape = [views.length / 16, 4, 4];
  const turned = pInverse.map((_, i) => pInverse[(i & ~15) + 4 * (i & 3) + ((i & 15) >> 2)]);
  return { p: f32(shape, p), pTransposed: f32(shape, pTransposed), pInverseTransposed: f32(shape, turned) };
}
