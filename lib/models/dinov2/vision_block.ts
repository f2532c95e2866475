/**
 * One block of a vision transformer.
 *
 * @module
 */
import { add, attention, mul, reshape, split, type Value } from "../../compute/tensor/mod.ts";
import { dense, weightedNorm } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";

/** What a block does besides the ordinary. */
export interface VisionBlockOptions {
  readonly heads: number;
  /** Floor of the variance in its two norms. */
  readonly eps: number;
  /** Applied to queries and keys [N,L,heads,D/heads] before attention, such as rotary positions. */
  readonly place?: ((x: Value, which: "q" | "k") => Value) | undefined;
}

/** A block's result and what its two branches add, before LayerScale. */
export interface VisionBlockParts {
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
