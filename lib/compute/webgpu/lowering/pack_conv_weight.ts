/**
 * Convolution weights in the order in which the kernel reads them.
 *
 * @module
 */
import { type Shape, sizeOf } from "../../tensor/shape.ts";
import type { Tensor } from "../../tensor/tensor.ts";

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
