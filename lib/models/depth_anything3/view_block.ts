/**
 * The later blocks of Depth Anything 3's backbone.
 *
 * @module
 */
import { concat, reshape, rope, split, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { DINOV2_EPS } from "../dinov2/config.ts";
import { visionBlock } from "../dinov2/vision_block.ts";
import { weightedNorm } from "../layers/dense.ts";
import { DA3_EPS } from "./config.ts";
import type { RotaryTable, RotaryTables } from "./rotary_tables.ts";

/** How a block sees its tokens. */
export interface ViewBlockOptions {
  readonly heads: number;
  /** Attention goes over the tokens of all views together. */
  readonly across: boolean;
  /** Of all tokens of all views. */
  readonly tables: RotaryTables;
}

/** A transformer block with norms and rotary positions on queries and keys; x [views,L,D] -> same. */
export function viewBlock(x: Value, weights: Weights, { heads, across, tables }: ViewBlockOptions): Value {
  const [views, length, width] = x.shape;
  const sequences = across ? reshape(x, [1, views * length, width]) : x;
  const place = (part: Value, which: "q" | "k") => placeTokens(part, weights.at(`attn.${which}_norm`), tables);
  return reshape(visionBlock(sequences, weights, { heads, eps: DINOV2_EPS, place }).output, x.shape);
}

/** Queries or keys [N,L,heads,C], normalised over a head and turned by their places. */
export function placeTokens(x: Value, norm: Weights, tables: RotaryTables): Value {
  const [n, l, heads, c] = x.shape;
  const tokens = reshape(weightedNorm(x, norm, DA3_EPS), [n * l, heads, c]);
  const [rows, columns] = split(tokens, [c / 2, c / 2], 2);
  return reshape(concat([turn(rows, tables.rows), turn(columns, tables.columns)], 2), x.shape);
}

function turn(x: Value, { cos, sin }: RotaryTable): Value {
  return rope(x, x.graph.constant(cos), x.graph.constant(sin), "halves");
}
