/**
 * The vision transformer DINOv2 (Oquab et al. 2023) as a feature extractor, and its block, which others build upon.
 *
 * @module
 */
import { add, attention, mul, reshape, slice, split, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import { dense, weightedNorm } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { DINOV2_EPS, type DinoV2Config } from "./dinov2_config.ts";
import { embedPatches, placeTokens } from "./patch_tokens.ts";

/** What one block gave after the final norm. */
interface VisionFeatures {
  /** [N,rows*columns,D] */
  readonly patches: Value;
  /** [N,D] */
  readonly classToken: Value;
}

/** Tokens [N,1+P,D] of normalised images [N,3,H,W] before the first block. */
export function visionTokens(images: Value, weights: Weights, positions: Tensor): Value {
  const patches = embedPatches(images, weights.at("patch_embed.proj"));
  return placeTokens(patches, weights.in(images.graph, "cls_token"), positions);
}

/** Outputs of the blocks `take` (ascending) after the final norm, of normalised images [N,3,H,W]. */
export function visionFeatures(
  images: Value,
  config: DinoV2Config,
  weights: Weights,
  positions: Tensor,
  take: readonly number[],
): VisionFeatures[] {
  const features: VisionFeatures[] = [];
  let x = visionTokens(images, weights, positions);
  for (let i = 0; i <= take[take.length - 1]; i++) {
    x = visionBlock(x, weights.at(`blocks.${i}`), { heads: config.heads, eps: DINOV2_EPS }).output;
    if (take.includes(i)) features.push(splitClass(weightedNorm(x, weights.at("norm"), DINOV2_EPS)));
  }
  return features;
}

/** Tokens [N,1+P,D] as patches and class token. */
export function splitClass(tokens: Value): VisionFeatures {
  const [n, , d] = tokens.shape;
  return {
    patches: slice(tokens, { axis: 1, start: 1 }),
    classToken: reshape(slice(tokens, { axis: 1, end: 1 }), [n, d]),
  };
}

/** What a block does besides the ordinary. */
interface VisionBlockOptions {
  readonly heads: number;
  /** Floor of the variance in its two norms. */
  readonly eps: number;
  /** Applied to queries and keys [N,L,heads,D/heads] before attention, such as rotary positions. */
  readonly place?: ((x: Value, which: "q" | "k") => Value) | undefined;
}

/** A block's result and what its two branches add, before LayerScale. */
interface VisionBlockParts {
  readonly attended: Value;
  readonly afterAttention: Value;
  readonly mlp: Value;
  readonly output: Value;
}

/**
 * x + scale1 * attend(norm1(x)), then + scale2 * mlp(norm2(x)) with an exact GELU (Dosovitskiy et al. 2021) and the
 * learned scales of CaiT (Touvron et al. 2021). Sequences of the batch do not see each other.
 *
 * Shapes: x [N,L,D] -> [N,L,D].
 */
export function visionBlock(x: Value, weights: Weights, options: VisionBlockOptions): VisionBlockParts {
  const g = x.graph;
  const attended = selfAttention(weightedNorm(x, weights.at("norm1"), options.eps), weights.at("attn"), options);
  const afterAttention = add(x, mul(attended, weights.in(g, "ls1.gamma")));
  const hidden = dense(
    weightedNorm(afterAttention, weights.at("norm2"), options.eps),
    weights.at("mlp.fc1"),
    "geluErf",
  );
  const mlp = dense(hidden, weights.at("mlp.fc2"));
  return { attended, afterAttention, mlp, output: add(afterAttention, mul(mlp, weights.in(g, "ls2.gamma"))) };
}

function selfAttention(x: Value, weights: Weights, { heads, place }: VisionBlockOptions): Value {
  const [n, l, d] = x.shape;
  const [q, k, v] = split(dense(x, weights.at("qkv")), [d, d, d], 2).map((part) =>
    reshape(part, [n, l, heads, d / heads])
  );
  const mixed = attention(place ? place(q, "q") : q, place ? place(k, "k") : k, v);
  return dense(reshape(mixed, [n, l, d]), weights.at("proj"));
}
