/**
 * Random numbers that can be recomputed from their index.
 *
 * @module
 */

const MASK = (1n << 64n) - 1n;

/** The output function of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"). */
function mix(word: bigint): bigint {
  word = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  word = ((word ^ (word >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return word ^ (word >> 31n);
}

/**
 * A uniform number in [0, 1) with 53 random bits.
 *
 * @param seed Seeds are mixed first, so that the sequences of adjacent seeds are unrelated.
 * @param index Index in the sequence, such as the position of the token that it chooses.
 */
export function uniformAt(seed: number | bigint, index: number): number {
  const start = mix((BigInt(seed) + 0x9e3779b97f4a7c15n) & MASK);
  const word = mix((start + BigInt(index + 1) * 0x9e3779b97f4a7c15n) & MASK);
  return Number(word >> 11n) * 2 ** -53;
}
