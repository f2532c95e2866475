/**
 * Convolution weights in the order in which the kernel reads them.
 *
 * @module
 */
import { sizeOf } from "../../tensor/shape.ts";
import { computedTensor } from "../../tensor/stored_tensor.ts";
import type { Tensor } from "../../tensor/tensor.ts";

const packed = new WeakMap<Tensor, Tensor>();

/**
 * [O,C,..taps] -> [taps,C,O] of the same element type; the same tensor always gives the same result. It is put in order
 * when it is uploaded, so that no second copy stays in ordinary memory.
 */
export function packConvWeight(weight: Tensor): Tensor {
  let result = packed.get(weight);
  if (!result) {
    const [outputs, channels, ...axes] = weight.shape;
    result = computedTensor(weight.dtype, [sizeOf(axes), channels, outputs], () => repack(weight));
    packed.set(weight, result);
  }
  return result;
}

function repack({ shape, data }: Tensor): Tensor["data"] {
  const [outputs, channels, ...axes] = shape;
  const taps = sizeOf(axes);
  const out = data.slice();
  for (let o = 0, i = 0; o < outputs; o++) {
    for (let c = 0; c < channels; c++) {
      for (let tap = 0; tap < taps; tap++) out[(tap * channels + c) * outputs + o] = data[i++];
    }
  }
  return out;
}
