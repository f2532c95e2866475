/**
 * Rotary positions of patches in rows and columns.
 *
 * @module
 */
import { f32, type Tensor } from "../../compute/tensor/mod.ts";
import type { PatchGrid } from "../dinov2/config.ts";

/** Cosines and sines for one half of a head, [tokens,D/4]. */
export interface RotaryTable {
  readonly cos: Tensor<"f32">;
  readonly sin: Tensor<"f32">;
}

/** Tables of rows, for the first half of a head, and of columns, for the second. */
export interface RotaryTables {
  readonly rows: RotaryTable;
  readonly columns: RotaryTable;
}

/** Row and column of every token of a view: the camera token at 0,0, patches from 1,1. */
export type TokenPlaces = readonly (readonly [row: number, column: number])[];

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
