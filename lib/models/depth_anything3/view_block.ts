/**
 * The later blocks of Depth Anything 3's backbone, with rotary positions of rows and columns.
 *
 * @module
 */
import { concat, f32, reshape, rope, split, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { weightedNorm } from "../layers/dense.ts";
import { visionBlock } from "../vision_transformer/dinov2.ts";
import { DINOV2_EPS, type PatchGrid } from "../vision_transformer/dinov2_config.ts";
import { DA3_EPS } from "./config.ts";

/** How a block sees its tokens. */
interface ViewBlockOptions {
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

/** Cosines and sines for one half of a head, [tokens,D/4]. */
interface RotaryTable {
  readonly cos: Tensor<"f32">;
  readonly sin: Tensor<"f32">;
}

/** Tables of rows, for the first half of a head, and of columns, for the second. */
interface RotaryTables {
  readonly rows: RotaryTable;
  readonly columns: RotaryTable;
}

/** Row and column of every token of a view: the camera token at 0,0, patches from 1,1. */
type TokenPlaces = readonly (readonly [row: number, column: number])[];

const BASE = 100;

/** Places of the tokens of a view among themselves. */
export function placesInView({ rows, columns }: PatchGrid): TokenPlaces {
  const patches = Array.from(
    { length: rows * columns },
    (_, i) => [Math.floor(i / columns) + 1, i % columns + 1] as const,
  );
  return [[0, 0], ...patches];
}

/** Places of the tokens of a view among all views: every patch at 1,1, because views have no common rows. */
export function placesAcrossViews({ rows, columns }: PatchGrid): TokenPlaces {
  return [[0, 0], ...Array.from({ length: rows * columns }, () => [1, 1] as const)];
}

/** Tables of the tokens of `views` views, one after the other, for heads of `width` channels. */
export function rotaryTables(places: TokenPlaces, views: number, width: number): RotaryTables {
  const all = Array.from({ length: views }, () => places).flat();
  const pairs = width / 4;
  const table = (axis: 0 | 1): RotaryTable => {
    const angles = all.flatMap((place) => Array.from({ length: pairs }, (_, j) => place[axis] / BASE ** (j / pairs)));
    const shape = [all.length, pairs];
    return { cos: f32(shape, angles.map(Math.cos)), sin: f32(shape, angles.map(Math.sin)) };
  };
  return { rows: table(0), columns: table(1) };
}
