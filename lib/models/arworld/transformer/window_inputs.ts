/**
 * Inputs of a pass besides weights and state: tables of the rotary positions (Su et al. 2021, "RoFormer") over frame,
 * row and column, and camera matrices.
 *
 * @module
 */
import { f32, type Graph, type Tensor } from "../../../compute/tensor/mod.ts";
import { cameraMatrices, type Intrinsics } from "../camera.ts";
import type { TransformerConfig } from "../config.ts";
import { LATENTS_PER_BLOCK } from "../trajectory.ts";
import type { RopeValues, WindowRope } from "./attention.ts";

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
  return framesRope(graph, config, blockFrames(first, count), { rows, columns });
}

/** {@linkcode windowRope} of several worlds, each after so many blocks. */
export function worldsRope(
  graph: Graph,
  config: TransformerConfig,
  contexts: readonly number[],
  gridSize: GridSize,
): WindowRope {
  const queries = contexts.flatMap((context) => blockFrames(context, 1));
  const keys = contexts.flatMap((context) => blockFrames(0, context + 1));
  return { queries: framesRope(graph, config, queries, gridSize), keys: framesRope(graph, config, keys, gridSize) };
}

function blockFrames(first: number, count: number): number[] {
  return Array.from({ length: count * LATENTS_PER_BLOCK }, (_, i) => first * LATENTS_PER_BLOCK + i);
}

function framesRope(
  graph: Graph,
  config: TransformerConfig,
  frames: readonly number[],
  { rows, columns }: GridSize,
): RopeValues {
  const headDim = config.dim / config.numHeads;
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

/** Cosines and sines of every token and channel pair, `[tokens, headDim / 2]` each. */
interface RopeTables {
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

/** Channel pairs that turn with the frame, the row and the column. */
export function ropePairs(headDim: number): [frame: number, row: number, column: number] {
  const pairs = headDim / 2;
  const third = Math.floor(pairs / 3);
  return [pairs - 2 * third, third, third];
}

/**
 * Tables for tokens in the order frame, row, column. Channel pairs (2j, 2j+1) of a head are rotated by
 * position * 10000^(-2j/d), where the first pairs count frames, the next ones rows, the last ones columns, each group
 * with its own d. Angles are formed in 64 bits.
 *
 * @param headDim Channels of a head, even.
 * @param frames Position of every frame, relative to the attention window.
 * @param rows Token rows of a frame.
 * @param columns Token columns of a frame.
 */
export function ropeTables(headDim: number, frames: readonly number[], rows: number, columns: number): RopeTables {
  const pairs = headDim / 2;
  const [framePairs, rowPairs] = ropePairs(headDim);
  const cos = new Float32Array(frames.length * rows * columns * pairs);
  const sin = new Float32Array(cos.length);
  const frequencies = ropePairs(headDim).flatMap((n) => Array.from({ length: n }, (_, j) => 10000 ** (-j / n)));
  let at = 0;
  for (const frame of frames) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        for (let j = 0; j < pairs; j++, at++) {
          const position = j < framePairs ? frame : j < framePairs + rowPairs ? row : column;
          cos[at] = Math.cos(position * frequencies[j]);
          sin[at] = Math.sin(position * frequencies[j]);
        }
      }
    }
  }
  return { cos, sin };
}
