/**
 * How keys and values are kept for texts that nobody goes on with at the moment.
 *
 * @module
 */

/** Tokens of a block. */
export const BLOCK_TOKENS = 64;

/** Keys or values of a block in fewer bits. */
export interface PackedBlock {
  readonly byteLength: number;
  /** The numbers as near as they were kept. */
  unpack(): Float32Array<ArrayBuffer>;
}

/** A way to keep numbers in fewer bits. */
export interface KvPacking {
  /** Bytes that a head of `dim` numbers a token takes in a block. */
  bytes(dim: number): number;
  /**
   * Packs a block.
   *
   * @param numbers Of one head after another `[64, dim]`.
   * @param dims Numbers of a token in each head.
   * @param tokens How many of the 64 tokens count; the others are zeros afterwards.
   */
  pack(numbers: Float32Array, dims: readonly number[], tokens: number): PackedBlock;
}
