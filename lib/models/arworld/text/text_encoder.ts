/**
 * UMT5 text encoder (Chung et al. 2023; layers as in T5 1.1, Raffel et al. 2020): pre-norm, no biases, no scaling of
 * the attention logits, a table of relative positions in every layer.
 *
 * @module
 */
import {
  add,
  attention,
  gather,
  gelu,
  type Graph,
  i32,
  mul,
  reshape,
  rmsNorm,
  transpose,
  type Value,
} from "../../../compute/tensor/mod.ts";
import { dense } from "../../layers/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { TextEncoderConfig } from "../config.ts";

/** What one layer computes on its way, all [L,D]. */
export interface TextLayerValues {
  readonly normed: Value;
  readonly attended: Value;
  readonly fedForward: Value;
  readonly output: Value;
}

/** Additive attention bias [H,L,L] of one layer from its table `embedding.weight` [buckets,H]. */
export function positionBias(graph: Graph, length: number, config: TextEncoderConfig, table: Weights): Value {
  const bucket = (_: unknown, i: number) =>
    relativePositionBucket((i % length) - Math.floor(i / length), config.numBuckets);
  const buckets = graph.constant(i32([length, length], Int32Array.from({ length: length * length }, bucket)));
  return transpose(gather(table.in(graph, "embedding.weight"), buckets), [2, 0, 1]);
}

/**
 * One layer: x + attend(norm1(x)), then x + fc2(fc1(n) * gelu(gate(n))) with n = norm2(x).
 *
 * Shapes: x [L,D], mask [1,1,L] (0 where the key is text, very negative elsewhere) -> [L,D].
 */
export function textLayer(x: Value, config: TextEncoderConfig, weights: Weights, mask?: Value): TextLayerValues {
  const g = x.graph;
  const [length] = x.shape;
  const heads = (v: Value) => reshape(v, [length, config.numHeads, config.dimAttn / config.numHeads]);
  const projections = weights.at("attn");
  const normed = rmsNorm(x, weights.in(g, "norm1.weight"));
  const positions = positionBias(g, length, config, weights.at("pos_embedding"));
  const mixed = attention(
    heads(dense(normed, projections.at("q"))),
    heads(dense(normed, projections.at("k"))),
    heads(dense(normed, projections.at("v"))),
    { scale: 1, bias: mask ? add(positions, mask) : positions },
  );
  const attended = dense(reshape(mixed, [length, config.dimAttn]), projections.at("o"));
  const middle = add(x, attended);
  const inner = rmsNorm(middle, weights.in(g, "norm2.weight"));
  const gated = mul(dense(inner, weights.at("ffn.fc1")), gelu(dense(inner, weights.at("ffn.gate.0"))));
  const fedForward = dense(gated, weights.at("ffn.fc2"));
  return { normed, attended, fedForward, output: add(middle, fedForward) };
}

/** Some neighbouring layers: x [L,D] -> [L,D]. */
export function textLayers(
  x: Value,
  config: TextEncoderConfig,
  weights: Weights,
  mask: Value | undefined,
  { start, end }: { readonly start: number; readonly end: number },
): Value {
  for (let i = start; i < end; i++) x = textLayer(x, config, weights.at(`blocks.${i}`), mask).output;
  return end === config.numLayers ? rmsNorm(x, weights.in(x.graph, "norm.weight")) : x;
}

/** All layers and the last norm; rows of token embeddings [L,D] -> [L,D]. */
export function encodeText(rows: Value, config: TextEncoderConfig, weights: Weights, mask?: Value): Value {
  return textLayers(rows, config, weights, mask, { start: 0, end: config.numLayers });
}

/**
 * Bucket of a distance between two positions (Raffel et al. 2020, section 2.1; bidirectional form): the exact distance while it is small, then logarithmic up to `maxDistance`.
 *
 * @param delta Key position minus query position.
 * @param buckets Rows of the bias table, even: half for keys on the left, half for keys on the right.
 */
export function relativePositionBucket(delta: number, buckets: number, maxDistance = 128): number {
  const half = buckets / 2;
  const exact = half / 2;
  const distance = Math.abs(delta);
  const base = delta > 0 ? half : 0;
  if (distance < exact) return base + distance;
  const share = Math.log(distance / exact) / Math.log(maxDistance / exact);
  // A distance that is an exact power must not fall into the bucket below it by a rounding error.
  return base + Math.min(half - 1, exact + Math.floor(share * (half - exact) + 1e-9));
}
