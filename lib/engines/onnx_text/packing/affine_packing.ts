/**
 * 8-bit affine packing of keys and values.
 *
 * @module
 */
import { BLOCK_TOKENS, type KvPacking, type PackedBlock } from "./kv_packing.ts";

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
