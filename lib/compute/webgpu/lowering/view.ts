/**
 * Views: the layout of a value in the memory of a program. Slices, transposes, broadcasts and reshapes are other views
 * of the same memory; kernels that need dense memory get a copy, and convolutions their weights in the order in which
 * they read them.
 *
 * @module
 */
import type { ValueType } from "../../tensor/graph.ts";
import { sameShape, type Shape, sizeOf, stridesOf } from "../../tensor/shape.ts";
import type { Tensor } from "../../tensor/tensor.ts";

/** A piece of memory that a program reads or writes. */
export interface Region {
  readonly source:
    | { readonly kind: "input"; readonly name: string }
    | { readonly kind: "constant"; readonly tensor: Tensor }
    /** A tensor in another order. */
    | { readonly kind: "arranged"; readonly weight: PackedConvWeight }
    /** The bytes of a tensor as they are in ordinary memory. */
    | { readonly kind: "packed"; readonly tensor: Tensor<"u8"> }
    | { readonly kind: "scratch" };
  readonly type: ValueType;
  readonly bytes: number;
}

/** Elements of a region, addressed by strides. All numbers count elements. */
export interface View {
  readonly region: Region;
  readonly shape: Shape;
  readonly strides: readonly number[];
  readonly offset: number;
}

/** The whole region, dense. */
export function denseView(region: Region, shape: Shape, offset = 0): View {
  return { region, shape, strides: stridesOf(shape), offset };
}

/** Whether the elements are contiguous. */
export function isDense(view: View): boolean {
  const dense = stridesOf(view.shape);
  return view.shape.every((size, i) => size === 1 || view.strides[i] === dense[i]);
}

/** Whether the view is its whole region in order. */
export function isWhole(view: View, elementSize: number): boolean {
  return isDense(view) && view.offset === 0 && sizeOf(view.shape) * elementSize === view.region.bytes;
}

/** The view with its axes in another order. */
export function permuteView(view: View, permutation: readonly number[]): View {
  return {
    ...view,
    shape: permutation.map((a) => view.shape[a]),
    strides: permutation.map((a) => view.strides[a]),
  };
}

/** Elements start, start + step, .. of every axis. */
export function sliceView(view: View, starts: readonly number[], steps: readonly number[], shape: Shape): View {
  return {
    ...view,
    shape,
    strides: view.strides.map((s, i) => s * steps[i]),
    offset: view.strides.reduce((at, s, i) => at + s * starts[i], view.offset),
  };
}

/** The view repeated along axes of size 1, and along new leading axes. */
export function broadcastView(view: View, shape: Shape): View {
  if (sameShape(view.shape, shape)) return view;
  const missing = shape.length - view.shape.length;
  const strides = shape.map((size, i) =>
    i < missing || (view.shape[i - missing] === 1 && size !== 1) ? 0 : view.strides[i - missing]
  );
  return { ...view, shape, strides };
}

/** The same elements with as few axes as all given stride lists allow; axes of size 1 are removed. */
export function collapseAxes(
  shape: Shape,
  strideLists: readonly (readonly number[])[],
): { shape: number[]; strideLists: number[][] } {
  const sizes: number[] = [];
  const lists: number[][] = strideLists.map(() => []);
  for (let axis = 0; axis < shape.length; axis++) {
    if (shape[axis] === 1) continue;
    const last = sizes.length - 1;
    if (last >= 0 && strideLists.every((s, i) => lists[i][last] === s[axis] * shape[axis])) {
      sizes[last] *= shape[axis];
      strideLists.forEach((s, i) => lists[i][last] = s[axis]);
    } else {
      sizes.push(shape[axis]);
      strideLists.forEach((s, i) => lists[i].push(s[axis]));
    }
  }
  if (sizes.length > 0) return { shape: sizes, strideLists: lists };
  return { shape: [1], strideLists: strideLists.map(() => [0]) };
}

/** A weight in another order, which `load_weight.wgsl` makes of it on the device. */
export interface PackedConvWeight {
  readonly tensor: Tensor;
  readonly order: "TAPS" | "PHASES";
  /** In that order. */
  readonly shape: Shape;
}

const packed = new WeakMap<Tensor, PackedConvWeight>();

/** [O,C,..taps] -> [taps,C,O]; the same tensor always gives the same result. */
export function packConvWeight(tensor: Tensor): PackedConvWeight {
  let result = packed.get(tensor);
  if (!result) {
    const [outputs, channels, ...axes] = tensor.shape;
    result = { tensor, order: "TAPS", shape: [sizeOf(axes), channels, outputs] };
    packed.set(tensor, result);
  }
  return result;
}

const phased = new WeakMap<Tensor, PackedConvWeight>();

/**
 * [O,C,3,3] -> [16,C,O]: for results of even and odd rows, and in these of even and odd columns, the 2x2 kernel that
 * gives from an image what the 3x3 kernel gives from it enlarged twice by nearest neighbours.
 */
export function packPhaseWeight(tensor: Tensor): PackedConvWeight {
  let result = phased.get(tensor);
  if (!result) {
    const [outputs, channels] = tensor.shape;
    result = { tensor, order: "PHASES", shape: [16, channels, outputs] };
    phased.set(tensor, result);
  }
  return result;
}
