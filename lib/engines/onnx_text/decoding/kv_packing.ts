/**
 * Packing of cached keys and values: in 8 bits by range, in 2 bits by length and direction, and which prefixes are
 * packed.
 *
 * @module
 */
import { uniformAt } from "../../../protocol/mod.ts";
import type { KvCacheMode } from "../../contract/model_profile.ts";

/** Tokens of a block. */
export const BLOCK_TOKENS = 64;

/** Packed keys or values of a block. */
export interface PackedBlock {
  readonly byteLength: number;
  /** Restores the numbers, approximately. */
  unpack(): Float32Array<ArrayBuffer>;
}

/** A packing. */
interface KvPacking {
  /** Packed bytes of a block per head of `dim` numbers a token. */
  bytes(dim: number): number;
  /**
   * Packs a block.
   *
   * @param numbers Of one head after another `[64, dim]`.
   * @param dims Numbers of a token in each head.
   * @param tokens How many of the 64 tokens are used; the others become zeros.
   */
  pack(numbers: Float32Array, dims: readonly number[], tokens: number): PackedBlock;
}

/** The packing of a mode. */
export interface PackingPolicy {
  readonly packing: KvPacking;
  /** Shorter prefixes are not packed. */
  readonly minTokens: number;
}

/** The modes of cached prefixes. */
export const PACKED_MODES: readonly KvCacheMode[] = ["affine8", "polar2", "auto"];

/**
 * The packing of a mode: `affine8` and `polar2` for all prefixes, `auto` like `polar2` from 1024 tokens on, as in the
 * model API's settings.
 *
 * @returns Undefined for the mode without packing.
 */
export function packingPolicy(mode: KvCacheMode): PackingPolicy | undefined {
  switch (mode) {
    case "affine8":
      return { packing: affinePacking, minTokens: 0 };
    case "polar2":
      return { packing: polarPacking, minTokens: 0 };
    case "auto":
      return { packing: polarPacking, minTokens: 1024 };
    default:
      return undefined;
  }
}

/**
 * Stores each number of a head's token as `min + value * step`. The error is at most half a 255th of the range of these
 * numbers, which are of similar magnitude.
 */
export const affinePacking: KvPacking = {
  bytes: (dim) => BLOCK_TOKENS * (dim + 2 * Float32Array.BYTES_PER_ELEMENT),

  pack(numbers, dims, tokens) {
    const block = new AffineBlock(dims, tokens, numbers.length);
    eachToken(dims, tokens, (start, dim, at) => {
      let [min, largest] = [Infinity, -Infinity];
      for (let i = start; i < start + dim; i++) {
        if (numbers[i] < min) min = numbers[i];
        if (numbers[i] > largest) largest = numbers[i];
      }
      const step = (largest - min) / 255;
      for (let i = start; i < start + dim; i++) {
        block.values[i] = step === 0 ? 0 : Math.round((numbers[i] - min) / step);
      }
      block.ranges.set([min, step], at * 2);
    });
    return block;
  },
};

class AffineBlock implements PackedBlock {
  readonly values: Uint8Array;
  /** Minimum and step of each head's token. */
  readonly ranges: Float32Array;
  readonly #dims: readonly number[];
  readonly #tokens: number;

  constructor(dims: readonly number[], tokens: number, count: number) {
    this.#dims = dims;
    this.#tokens = tokens;
    this.values = new Uint8Array(count);
    this.ranges = new Float32Array(dims.length * BLOCK_TOKENS * 2);
  }

  get byteLength(): number {
    return this.values.byteLength + this.ranges.byteLength;
  }

  unpack(): Float32Array<ArrayBuffer> {
    const { values, ranges } = this;
    const numbers = new Float32Array(values.length);
    eachToken(this.#dims, this.#tokens, (start, dim, at) => {
      const min = ranges[at * 2];
      const step = ranges[at * 2 + 1];
      for (let i = start; i < start + dim; i++) numbers[i] = min + values[i] * step;
    });
    return numbers;
  }
}

/** Visits the used tokens of each head, with the offset of their numbers and their index among all tokens. */
function eachToken(
  dims: readonly number[],
  tokens: number,
  visit: (start: number, dim: number, at: number) => void,
): void {
  let start = 0;
  for (const [head, dim] of dims.entries()) {
    for (let token = 0; token < tokens; token++) visit(start + token * dim, dim, head * BLOCK_TOKENS + token);
    start += dim * BLOCK_TOKENS;
  }
}

/**
 * The four levels that minimize the error for normally distributed numbers, and the thresholds between them (Max,
 * "Quantizing for Minimum Distortion", 1960). They lose 11.75 % of the power.
 */
const LEVELS = [-1.5104, -0.4528, 0.4528, 1.5104] as const;
const OUTER = 0.9816;

/** Maximum number of numbers that are rotated together. */
const MAX_ROTATED = 256;

/** Signs that spread a vector evenly unless it is adversarial. */
const SIGNS = Float32Array.from({ length: MAX_ROTATED }, (_, i) => uniformAt(0x706f6c6172, i) < 0.5 ? -1 : 1);

/** Scratch space of the rotation. */
const TURNED = new Float64Array(MAX_ROTATED);

/**
 * Stores the mean of each head's tokens, and of each token's deviation the length and the direction in 2 bits per
 * number.
 * The direction is first rotated by random signs and a Walsh-Hadamard transform, after which its numbers are nearly
 * normally distributed, whatever they were before (Zandieh et al., "TurboQuant", 2025). The mean is separate because
 * some key channels are far from zero for all tokens (Liu et al., "KIVI", 2024). The stored length is the one that
 * minimizes the error, so that the error never exceeds the vector's length.
 */
export const polarPacking: KvPacking = {
  bytes: (dim) => BLOCK_TOKENS * dim / 4 + Float32Array.BYTES_PER_ELEMENT * (dim + BLOCK_TOKENS * pieces(dim).length),

  pack(numbers, dims, tokens) {
    const block = new PolarBlock(dims, tokens, numbers.length);
    let start = 0;
    for (const [head, dim] of dims.entries()) {
      const rows = numbers.subarray(start, start + tokens * dim);
      block.means[head].set(rowMean(rows, dim));
      start += dim * BLOCK_TOKENS;
    }
    block.eachPiece((first, mean, at) => {
      const turned = TURNED.subarray(0, mean.length);
      for (let i = 0; i < mean.length; i++) turned[i] = (numbers[first + i] - mean[i]) * SIGNS[i];
      transform(turned);
      block.lengths[at] = quantize(turned, block.codes, first);
    });
    return block;
  },
};

class PolarBlock implements PackedBlock {
  readonly codes: Uint8Array;
  /** The mean of each head. */
  readonly means: readonly Float32Array[];
  /** Scale factor of each piece. */
  readonly lengths: Float32Array;
  readonly #tokens: number;

  constructor(dims: readonly number[], tokens: number, count: number) {
    this.#tokens = tokens;
    this.codes = new Uint8Array(count / 4);
    this.means = dims.map((dim) => new Float32Array(dim));
    this.lengths = new Float32Array(dims.reduce((sum, dim) => sum + BLOCK_TOKENS * pieces(dim).length, 0));
  }

  get byteLength(): number {
    const means = this.means.reduce((sum, mean) => sum + mean.byteLength, 0);
    return this.codes.byteLength + means + this.lengths.byteLength;
  }

  unpack(): Float32Array<ArrayBuffer> {
    const numbers = new Float32Array(this.codes.length * 4);
    this.eachPiece((first, mean, at) => {
      const turned = TURNED.subarray(0, mean.length);
      for (let i = 0; i < mean.length; i++) turned[i] = LEVELS[codeAt(this.codes, first + i)] * this.lengths[at];
      transform(turned);
      for (let i = 0; i < mean.length; i++) numbers[first + i] = turned[i] * SIGNS[i] / mean.length + mean[i];
    });
    return numbers;
  }

  /** Visits the pieces that are rotated together: their offset, their part of the mean, and their index. */
  eachPiece(visit: (first: number, mean: Float32Array, at: number) => void): void {
    let [start, at] = [0, 0];
    for (const mean of this.means) {
      const parts = pieces(mean.length).map(([from, size]) => [from, mean.subarray(from, from + size)] as const);
      for (let token = 0; token < this.#tokens; token++) {
        for (const [from, part] of parts) visit(start + token * mean.length + from, part, at++);
      }
      start += mean.length * BLOCK_TOKENS;
    }
  }
}

/** The pieces of a vector, by offset and size, which is a power of two. */
function pieces(dim: number): readonly (readonly [number, number])[] {
  const parts: [number, number][] = [];
  for (let from = 0; from < dim;) {
    const size = Math.min(MAX_ROTATED, 2 ** Math.floor(Math.log2(dim - from)));
    parts.push([from, size]);
    from += size;
  }
  return parts;
}

function rowMean(rows: Float32Array, dim: number): Float64Array {
  const sums = new Float64Array(dim);
  for (let i = 0; i < rows.length; i++) sums[i % dim] += rows[i];
  return sums.map((sum) => sum * dim / rows.length);
}

/** The in-place Walsh-Hadamard transform; applied twice it multiplies by the size. */
function transform(x: Float64Array): void {
  for (let half = 1; half < x.length; half *= 2) {
    for (let i = 0; i < x.length; i += half * 2) {
      for (let j = i; j < i + half; j++) {
        const a = x[j];
        const b = x[j + half];
        x[j] = a + b;
        x[j + half] = a - b;
      }
    }
  }
}

/** Writes the codes of a vector. @returns The scale factor that minimizes the error. */
function quantize(x: Float64Array, codes: Uint8Array, first: number): number {
  let power = 0;
  for (let i = 0; i < x.length; i++) power += x[i] * x[i];
  if (power === 0) return 0;
  const outer = OUTER * Math.sqrt(power / x.length);
  let [along, square] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    const code = x[i] < 0 ? (x[i] < -outer ? 0 : 1) : (x[i] < outer ? 2 : 3);
    codes[(first + i) >> 2] |= code << (((first + i) & 3) * 2);
    along += x[i] * LEVELS[code];
    square += LEVELS[code] * LEVELS[code];
  }
  return along / square;
}

function codeAt(codes: Uint8Array, at: number): number {
  return (codes[at >> 2] >> ((at & 3) * 2)) & 3;
}
