/**
 * Seeds of a chain.
 *
 * @module
 */

const U64 = 1n << 64n;

/** The seed of a block or clip: the request's plus the generation depth of the chain, modulo 2^64. */
export function effectiveSeed(seed: bigint, depth: number): bigint {
  return (seed + BigInt(depth)) % U64;
}

/** A seed as sent over the wire: JSON numbers are exact only up to 2^53 - 1. */
export function seedRecord(seed: bigint): number | string {
  return seed <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seed) : String(seed);
}
