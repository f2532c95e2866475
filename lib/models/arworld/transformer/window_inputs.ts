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
import type { RopeValues, WindowRope } from "./window_attention.ts";

/** Rotary tables of a block after `context` blocks whose keys are rotated with its own, as constants of a graph. */
export function windowRope(graph: Graph, config: TransformerConfig, context: number, gridSize: GridSize): WindowRope {
  return {
    queries: blockRope(graph, config, context, gridSize),
    keys: blockRope(graph, config, 0, gridSize, context + 1),
  };
}

/** Rotary tables of the tokens of `count` neighbouring blocks of a window from block `first` on, as constants. */
export function blockRope(
  graph: Graph,
  config: TransformerConfig,
  first: number,
  { rows, columns }: GridSize,
  count = 1,
): RopeValues {
  const headDim = config.dim / config.numHeads;
  const frames = Array.from({ length: count * LATENTS_PER_BLOCK }, (_, i) => first * LATENTS_PER_BLOCK + i);
  const { cos, sin } = ropeTables(headDim, frames, rows, columns);
  const shape = [frames.length * rows * columns, headDim / 2];
  return { cos: graph.constant(f32(shape, cos)), sin: graph.constant(f32(shape, sin)) };
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
