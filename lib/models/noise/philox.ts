/**
 * Counter-based noise: the same seed gives the same world on every device, and any part of it can be made again alone.
 *
 * Random bits come from Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"), normal
 * numbers from the Box-Muller transform of them. The layout is part of the format of a world:
 *
 * - key: the low and the high 32 bits of the 64-bit seed;
 * - counter: (element / 4, 0, step, 0), so that one call makes the elements 4n to 4n+3 of a step;
 * - the four words a, b, c, d give r(a) cos(t(b)), r(a) sin(t(b)), r(c) cos(t(d)), r(c) sin(t(d)), where
 *   r(x) = sqrt(-2 ln u) with u = ((x >> 9) + 0.5) / 2^23 and t(x) = 2 pi (x >> 8) / 2^24.
 *
 * u and t / 2 pi are exact in 32-bit floats, so that a shader can compute the same from the same words.
 *
 * @module
 */

const ROUNDS = 10;

/**
 * One call of Philox4x32-10.
 *
 * @param counter Four 32-bit words.
 * @param key Two 32-bit words.
 * @returns Four random 32-bit words.
 */
export function philox4x32(counter: ArrayLike<number>, key: ArrayLike<number>): Uint32Array {
  const out = new Uint32Array(4);
  philoxInto(out, counter[0], counter[1], counter[2], counter[3], key[0], key[1]);
  return out;
}

/**
 * Standard normal numbers of one step.
 *
 * @param seed Unsigned 64-bit seed of the block.
 * @param step 0 for the initial noise of a block, then one for every fresh noise.
 * @param length How many; a longer request begins with the same numbers as a shorter one.
 *
 * @example
 * ```ts
 * import { normalNoise } from "./philox.ts";
 * console.assert(normalNoise(42n, 0, 8)[3] === normalNoise(42n, 0, 4)[3]);
 * ```
 */
export function normalNoise(seed: bigint, step: number, length: number): Float32Array {
  const low = Number(seed & 0xffffffffn);
  const high = Number((seed >> 32n) & 0xffffffffn);
  const words = new Uint32Array(4);
  const out = new Float32Array(length);
  for (let i = 0; i < length; i += 4) {
    philoxInto(words, i >>> 2, 0, step, 0, low, high);
    for (let pair = 0; pair < 4; pair += 2) {
      const radius = Math.sqrt(-2 * Math.log(((words[pair] >>> 9) + 0.5) * 2 ** -23));
      const angle = 2 * Math.PI * (words[pair + 1] >>> 8) * 2 ** -24;
      // Writes beyond the end of a typed array are ignored, which cuts the last group to length.
      out[i + pair] = radius * Math.cos(angle);
      out[i + pair + 1] = radius * Math.sin(angle);
    }
  }
  return out;
}

/** Writes one call of Philox4x32-10 with the counter (a, b, c, d) and the key (k0, k1) to `out`. */
export function philoxInto(
  out: Uint32Array,
  a: number,
  b: number,
  c: number,
  d: number,
  k0: number,
  k1: number,
): void {
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = multiplyHigh(0xd2511f53, a);
    const low0 = Math.imul(0xd2511f53, a);
    const high1 = multiplyHigh(0xcd9e8d57, c);
    const low1 = Math.imul(0xcd9e8d57, c);
    a = (high1 ^ b ^ k0) >>> 0;
    b = low1 >>> 0;
    c = (high0 ^ d ^ k1) >>> 0;
    d = low0 >>> 0;
    k0 = (k0 + 0x9e3779b9) >>> 0;
    k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
}

/** Upper 32 bits of the product of two 32-bit words. */
function multiplyHigh(x: number, y: number): number {
  const xl = x & 0xffff;
  const xh = x >>> 16;
  const yl = y & 0xffff;
  const yh = y >>> 16;
  const middle = xh * yl + ((xl * yl) >>> 16); // below 2^32
  const carry = (middle & 0xffff) + xl * yh; // below 2^33
  return (xh * yh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}
