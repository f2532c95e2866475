/**
 * Random numbers for large tensors, made in no time: blocks of them are repeated.
 *
 * @module
 */
import { f32, type Shape, sizeOf, type Tensor, tensor, toHalf } from "../../../lib/compute/tensor/mod.ts";

/** No width divides the length of what is repeated, so that rows differ. */
const BLOCK = (1 << 20) - 77;

/** Numbers in (-scale, scale) from a hash of their position and a seed. */
export function numbers(count: number, scale = 1, seed = 1): Float32Array<ArrayBuffer> {
  const block = new Float32Array(Math.min(count, BLOCK));
  for (let i = 0; i < block.length; i++) {
    let x = Math.imul(i, 0x9e3779b9) + seed | 0;
    x = Math.imul(x ^ x >>> 16, 0x7feb352d);
    x = Math.imul(x ^ x >>> 15, 0x846ca68b);
    x ^= x >>> 16;
    block[i] = ((x >>> 8) * 2 ** -23 - 1) * scale;
  }
  return repeated(block, new Float32Array(count));
}

/** A tensor of 16-bit floats in (-scale, scale). */
export function halves(shape: Shape, scale = 1, seed = 1): Tensor<"f16"> {
  const count = sizeOf(shape);
  const block = Math.min(count, BLOCK);
  return tensor("f16", shape, repeated(toHalf(f32([block], numbers(block, scale, seed))).data, new Uint16Array(count)));
}

/** Fills an array with repetitions of a shorter one. */
export function repeated<A extends Float32Array | Uint16Array | Uint8Array>(block: A, out: A): A {
  for (let at = 0; at < out.length; at += block.length) {
    out.set(block.subarray(0, Math.min(block.length, out.length - at)), at);
  }
  return out;
}
