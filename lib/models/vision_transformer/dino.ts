/**
 * The vision transformer DINO (Caron et al. 2021) with the weight names of the transformers library.
 *
 * @module
 */
import { add, attention, mul, reshape, silu, split, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import { dense, weightedNorm } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { embedPatches, placeTokens } from "./patch_tokens.ts";
import { DINO_EPS, type DinoConfig } from "./dino_config.ts";

/** What one block gives, and its attention on the way. */
interface DinoBlockParts {
  /** [N,1+P,D], after its norm. */
  readonly normalised: Value;
  /** [N,1+P,D], what attention adds. */
  readonly attended: Value;
  readonly output: Value;
}

/** Tokens [N,1+P,D] of normalised images [N,3,H,W] before the first block, class token first. */
export function dinoTokens(images: Value, weights: Weights, positions: Tensor): Value {
  const embeddings = weights.at("embeddings");
  const patches = embedPatches(images, embeddings.at("patch_embeddings.projection"));
  return placeTokens(patches, embeddings.in(images.graph, "cls_token"), positions);
}

/**
 * x + attend(norm(x)), then + mlp(norm(x)); each norm is scaled and shifted by the condition [N,C] where there is one.
 *
 * Shapes: x [N,1+P,D] -> same.
 */
export function dinoBlock(x: Value, config: DinoConfig, weights: Weights, condition?: Value): DinoBlockParts {
  const [n, l, d] = x.shape;
  const modulation = condition ? blockModulation(condition, weights) : [];
  const [shift1, scale1, shift2, scale2] = modulation.map((part) => reshape(part, [n, 1, d]));
  const heads = (name: string) =>
    reshape(dense(normalised, weights.at(`attention.attention.${name}`)), [n, l, config.heads, d / config.heads]);
  const normalised = modulated(weightedNorm(x, weights.at("layernorm_before"), DINO_EPS), shift1, scale1);
  const mixed = reshape(attention(heads("query"), heads("key"), heads("value")), [n, l, d]);
  const attended = dense(mixed, weights.at("attention.output.dense"));
  const middle = add(x, attended);
  const second = modulated(weightedNorm(middle, weights.at("layernorm_after"), DINO_EPS), shift2, scale2);
  const hidden = dense(second, weights.at("intermediate.dense"), "geluErf");
  return { normalised, attended, output: add(middle, dense(hidden, weights.at("output.dense"))) };
}

/** Shift and scale of the first norm, then of the second, [N,D] each, from the condition [N,C]. */
export function blockModulation(condition: Value, weights: Weights): Value[] {
  const all = dense(silu(condition), weights.at("adaLN_modulation.1"));
  const d = all.shape[1] / 4;
  return split(all, [d, d, d, d], 1);
}

/** Tokens [N,1+P,D] of normalised images after the blocks from `start` to `end` (exclusive). */
export function dinoBlocks(
  x: Value,
  start: number,
  end: number,
  config: DinoConfig,
  weights: Weights,
  condition?: Value,
): Value {
  for (let i = start; i < end; i++) x = dinoBlock(x, config, weights.at(`encoder.layer.${i}`), condition).output;
  return x;
}

/** The final norm. */
export function dinoNorm(x: Value, weights: Weights): Value {
  return weightedNorm(x, weights.at("layernorm"), DINO_EPS);
}

function modulated(x: Value, shift: Value | undefined, scale: Value | undefined): Value {
  return shift && scale ? add(mul(x, add(scale, 1)), shift) : x;
}
