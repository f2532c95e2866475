/**
 * A dispatch of a kernel, as lowerings describe it, and that of data movement: transposes, slices, broadcasts,
 * concatenations.
 *
 * @module
 */
import { sizeOf } from "../../tensor/shape.ts";
import { type Binding, eightAxes, type ParamField } from "./step.ts";
import { collapseAxes, type View } from "./view.ts";

/** A kernel of `kernels-wgsl/` applied to views. */
export interface Dispatch {
  /** Operator, for error messages. */
  readonly what: string;
  readonly kernel: string;
  /** Flags of the kernel's variant; false ones are off. */
  readonly flags?: readonly (string | false)[];
  /** Pipeline-overridable constants. */
  readonly constants?: Readonly<Record<string, number>>;
  readonly params: readonly ParamField[];
  /**
   * Dense views are bound from their first element on; kernels that support strides and offsets bind whole regions.
   */
  readonly inputs: readonly (View | Binding)[];
  readonly output: View | Binding;
  readonly workgroups: number;
  /** Floating-point operations of products; none by default, a multiply-add counts as two. */
  readonly flops?: number;
  /** Of a product, by `productTime`. */
  readonly time?: number;
  /** Bytes read and written, where these are not all that is bound. */
  readonly traffic?: number;
}

/** All of the memory of a view's buffer. */
export function wholeRegion(view: View): Binding {
  return { region: view.region, offset: 0, bytes: view.region.bytes };
}

/**
 * How many neighbouring elements can be moved as one unit of up to 16 bytes: all innermost strides must be 1 and
 * everything else a multiple.
 */
export function elementsPerUnit(
  elementSize: number,
  innerStrides: readonly number[],
  multiples: readonly number[],
): number {
  if (innerStrides.some((s) => s !== 1)) return 1;
  for (let n = 16 / elementSize; n > 1; n /= 2) {
    if (multiples.every((m) => m % n === 0)) return n;
  }
  return 1;
}

/** Copies every element of `source` to the same coordinate of `destination`. */
export function copyDispatch(what: string, source: View, destination: View, elementSize: number): Dispatch {
  const { shape, strideLists: [sourceStrides, destinationStrides] } = collapseAxes(source.shape, [
    source.strides,
    destination.strides,
  ]);
  const inner = shape.length - 1;
  const unit = elementsPerUnit(
    elementSize,
    [sourceStrides[inner], destinationStrides[inner]],
    [
      shape[inner],
      source.offset,
      destination.offset,
      ...sourceStrides.slice(0, inner),
      ...destinationStrides.slice(0, inner),
    ],
  );
  const inUnits = (strides: readonly number[]) => strides.map((s, i) => (i < inner ? s / unit : s));
  const count = sizeOf(shape) / unit;
  return {
    what,
    kernel: "copy",
    traffic: 2 * sizeOf(shape) * elementSize,
    flags: [`UNIT${unit * elementSize}`],
    params: [
      count,
      source.offset / unit,
      destination.offset / unit,
      eightAxes(shape.map((n, i) => (i < inner ? n : n / unit))),
      eightAxes(inUnits(sourceStrides)),
      eightAxes(inUnits(destinationStrides)),
      shape.length,
    ],
    inputs: [wholeRegion(source)],
    output: wholeRegion(destination),
    workgroups: Math.ceil(count / 64),
  };
}
