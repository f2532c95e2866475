/**
 * Convolution weights in the order in which the kernel reads them.
 *
 * @module
 */
import { toFloat32 } from "../../tensor/half.ts";
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

const phased = new WeakMap<Tensor, Tensor>();

/** Rows of a 3x3 kernel that fall on the two rows of an image enlarged twice which a result of even, of odd row sees. */
const PHASE_TAPS = [[[0], [1, 2]], [[0, 1], [2]]] as const;

/**
 * [O,C,3,3] -> [16,C,O]: for results of even and odd rows, and in these of even and odd columns, the 2x2 kernel that
 * gives from an image what the 3x3 kernel gives from it enlarged twice by nearest neighbours.
 */
export function packPhaseWeight(weight: Tensor): Tensor {
  let result = phased.get(weight);
  if (!result) {
    const [outputs, channels] = weight.shape;
    result = computedTensor("f32", [16, channels, outputs], () => phaseTaps(weight));
    phased.set(weight, result);
  }
  return result;
}

function phaseTaps(weight: Tensor): Float32Array {
  const [outputs, channels] = weight.shape;
  const data = toFloat32(weight);
  const out = new Float32Array(16 * channels * outputs);
  let matrix = 0;
  for (const rows of PHASE_TAPS) {
    for (const columns of PHASE_TAPS) {
      for (
        const taps of rows.flatMap((y) => columns.map((x) => y.flatMap((row) => x.map((column) => 3 * row + column))))
      ) {
        for (let o = 0; o < outputs; o++) {
          for (let c = 0; c < channels; c++) {
            let sum = 0;
            for (const tap of taps) sum += data[(o * channels + c) * 9 + tap];
            out[(matrix * channels + c) * outputs + o] = sum;
          }
        }
        matrix++;
      }
    }
  }
  return out;
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
