/**
 * The input of the generation stream: frames, the first of them known, then actions.
 *
 * @module
 */
import {
  add,
  concat,
  matmul,
  pad,
  reshape,
  type Shape,
  slice,
  type Tensor,
  tensorPart,
  transpose,
  type Value,
} from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { dense } from "../../layers/dense.ts";
import type { ActionTransformerConfig } from "../config.ts";

/** Embedded frames and actions. */
interface ClipTokens {
  /** Patches of all frames before the timestep is added, [F*S,D]. */
  readonly patches: Value;
  /** [A,D] */
  readonly actions: Value;
  /** The stream: frames, then actions, [F*S + A, D]. */
  readonly stream: Value;
}

/** Sinusoids [N,S] of timesteps -> embeddings [N,D]. */
export function embedTime(sinusoid: Value, weights: Weights): Value {
  return dense(dense(sinusoid, weights.at("linear_1"), "silu"), weights.at("linear_2"));
}

/** Rows of actions [A,K], K at most `action_dim` -> [A,D]. */
export function embedActions(actions: Value, domain: number, weights: Weights): Value {
  const layer = weights.at("action_proj_in");
  const embedded = domainLinear(actions, layer.get("fc.weight"), layer.get("bias.weight"), domain);
  return add(embedded, weights.in(actions.graph, "action_modality_embed"));
}

/** Latents [F,C,h,w], the first frame clean; time [1,D] is added to all other frames, which distinguishes them. */
export function clipTokens(
  latents: Value,
  time: Value,
  actions: Value,
  config: ActionTransformerConfig,
  weights: Weights,
): ClipTokens {
  const patches = dense(packLatents(latents, config.patchSize), weights.at("proj_in"));
  const perFrame = patches.shape[0] / latents.shape[0];
  const first = slice(patches, { axis: 0, end: perFrame });
  const noisy = slice(patches, { axis: 0, start: perFrame });
  return { patches, actions, stream: concat([first, add(noisy, time), actions], 0) };
}

/**
 * x [N,K] times the matrix of a domain, plus its bias -> [N,D].
 *
 * @param matrices [domains, inputs * D]: in every row a matrix, input by input (not as a linear layer stores it). If K
 * is less than its inputs, the missing elements of x count as zeros.
 * @param biases [domains, D]
 */
export function domainLinear(x: Value, matrices: Tensor, biases: Tensor, domain: number): Value {
  const [, inputs] = x.shape;
  const [, outputs] = biases.shape;
  const constant = (table: Tensor, shape: Shape) => x.graph.constant(startOfRow(table, domain, shape));
  return matmul(x, constant(matrices, [inputs, outputs]), { bias: constant(biases, [outputs]) });
}

/** The first elements of a row of a matrix, so that no other row is uploaded. */
function startOfRow(table: Tensor, row: number, shape: Shape): Tensor {
  const start = row * table.shape[1];
  return tensorPart(table, shape, start);
}

/** Tokens along a latent side of `size` pixels; the last one may exceed the edge. */
export function patchesOf(size: number, patch: number): number {
  return Math.ceil(size / patch);
}

/**
 * [F,C,h,w] -> [F*rows*columns, patch^2*C] with zeros beyond the lower and the right edge: tokens by frame, row,
 * column; inside a token row, column, channel.
 */
export function packLatents(latents: Value, patch: number): Value {
  const [f, c, h, w] = latents.shape;
  const [rows, columns] = [patchesOf(h, patch), patchesOf(w, patch)];
  const whole = pad(latents, [0, 0, 0, 0], [0, 0, rows * patch - h, columns * patch - w]);
  const cells = reshape(whole, [f, c, rows, patch, columns, patch]);
  return reshape(transpose(cells, [0, 2, 4, 3, 5, 1]), [f * rows * columns, patch * patch * c]);
}

/** The inverse of {@linkcode packLatents}, without what exceeds the edges. */
export function unpackLatents(tokens: Value, height: number, width: number, patch: number): Value {
  const [rows, columns] = [patchesOf(height, patch), patchesOf(width, patch)];
  const c = tokens.shape[1] / (patch * patch);
  const cells = reshape(tokens, [-1, rows, columns, patch, patch, c]);
  const whole = reshape(transpose(cells, [0, 5, 1, 3, 2, 4]), [-1, c, rows * patch, columns * patch]);
  return slice(whole, { axis: 2, end: height }, { axis: 3, end: width });
}
