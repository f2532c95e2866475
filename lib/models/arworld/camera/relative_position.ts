/**
 * Relative position biases of T5 (Raffel et al. 2020, section 2.1; bidirectional form).
 *
 * @module
 */

/**
 * Bucket of a distance: the exact distance while it is small, then logarithmic up to `maxDistance`.
 *
 * @param delta Key position minus query position.
 * @param buckets Rows of the bias table, even: half for keys on the left, half for keys on the right.
 */
export function relativePositionBucket(delta: number, buckets: number, maxDistance = 128): number {
  const half = buckets / 2;
  const exact = half / 2;
  const distance = Math.abs(delta);
  const base = delta > 0 ? half : 0;
  if (distance < exact) return base + distance;
  const share = Math.log(distance / exact) / Math.log(maxDistance / exact);
  // A distance that is an exact power must not fall into the bucket below it by a rounding error.
  return base + Math.min(half - 1, exact + Math.floor(share * (half - exact) + 1e-9));
}

/**
 * Additive attention bias of one layer.
 *
 * @param table Learned biases `[buckets, heads]`.
 * @returns `[heads, length, length]`, query before key.
 */
export function relativePositionBias(table: Float32Array, heads: number, length: number): Float32Array {
  const buckets = table.length / heads;
  const rows = Array.from({ length: 2 * length - 1 }, (_, i) => relativePositionBucket(i - length + 1, buckets));
  const out = new Float32Array(heads * length * length);
  let at = 0;
  for (let head = 0; head < heads; head++) {
    for (let query = 0; query < length; query++) {
      for (let key = 0; key < length; key++) out[at++] = table[rows[key - query + length - 1] * heads + head];
    }
  }
  return out;
}
