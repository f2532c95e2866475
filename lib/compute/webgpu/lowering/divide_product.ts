/**
 * Workgroups of matrix products and convolutions, in parts that are added up where tiles are few.
 *
 * @module
 */
import { sizeOf } from "../../tensor/shape.ts";
import {
  BLOCK,
  chooseTiles,
  type MostDivided,
  PROCESSORS,
  type ProductSize,
  productTime,
  sliceBuffers,
  slicesOf,
  workgroupsOf,
} from "./choose_tiles.ts";
import type { Lowering } from "./lowering.ts";
import type { View } from "./view.ts";

/** What a dispatch of a product takes from its division. */
export interface Division {
  readonly tiled: boolean;
  readonly flags: readonly (string | false)[];
  /** Pipeline-overridable constants. */
  readonly constants: Readonly<Record<string, number>>;
  /** Invocations that own a block, or workgroups that own a tile; in a plane or entry of the batch, rows and columns. */
  readonly owners: number;
  readonly ownerRows: number;
  readonly ownerColumns: number;
  /** The last fields of the uniform struct. */
  readonly partParams: readonly number[];
  readonly parts: number;
  readonly workgroups: number;
  /** By {@linkcode productTime}. */
  readonly time: number;
}

/** Divides a product as {@linkcode chooseTiles} says. */
export function divideProduct({ limits, precision }: Lowering, size: ProductSize, most: MostDivided): Division {
  const { side, ...tiling } = chooseTiles(size, limits, precision, most);
  const kind = limits.tile ?? "PORTABLE";
  const slices = slicesOf(size, kind);
  const partSlices = Math.ceil(slices / tiling.parts);
  const parts = Math.ceil(slices / partSlices);
  const [ownerRows, ownerColumns] = [size.rows, size.columns].map((length) => Math.ceil(length / (side ?? BLOCK)));
  return {
    tiled: side !== undefined,
    flags: side ? [side === 64 && "SMALL", parts > 1 && "SPLIT", kind] : [],
    constants: side && kind !== "PORTABLE" ? { BUFFERS: sliceBuffers(limits, precision, side) } : {},
    owners: ownerRows * ownerColumns * size.batch * parts,
    ownerRows,
    ownerColumns,
    partParams: parts > 1 ? [size.batch, partSlices] : [],
    parts,
    workgroups: workgroupsOf(size, { side, parts }),
    time: productTime(size, { side, parts }, kind, limits.processors ?? PROCESSORS),
  };
}

/**
 * Dispatches a product into its output, or its parts into scratch memory and their sum into the output.
 *
 * @param activation number of the activation in `epilogue.wgsl`
 * @param multiply dispatches the product into a view, activated by the given number
 */
export function dispatchParts(
  lowering: Lowering,
  what: string,
  { parts }: Division,
  output: View,
  activation: number,
  multiply: (output: View, activation: number) => void,
): void {
  if (parts === 1) return multiply(output, activation);
  const count = sizeOf(output.shape);
  const partial = lowering.allocate([parts, count], "int"); // elements of 4 bytes whatever the precision
  multiply(partial, 0);
  const vec = count % 4 === 0;
  const elements = vec ? count / 4 : count;
  lowering.dispatch({
    what,
    kernel: "sum_parts",
    flags: [lowering.precision === "f16" && "F16", vec && "VEC"],
    params: [elements, parts, activation],
    inputs: [partial],
    output,
    workgroups: Math.ceil(elements / 256),
  });
}
