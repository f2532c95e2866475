/**
 * Packing of cached keys and values.
 *
 * @module
 */

/** Tokens of a block. */
export const BLOCK_TOKENS = 64;

/** Packed keys or values of a block. */
export interface PackedBlock {
  readonly byteLength: number;
  /** Restores the numbers, approximately. */
  unpack(): Float32Array<ArrayBuffer>;
}

/** A packing. */
export interface KvPacking {
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
