/**
 * The two operations on 4x4 camera matrices that trajectories need, in 64-bit floats.
 *
 * Matrices are 16 numbers, row-major, with the last row 0 0 0 1. Many of them lie behind each other in one array, so
 * every function takes the index of the matrix.
 *
 * @module
 */

/** Matrix `i` of `a` times matrix `j` of `b`, as 16 numbers. */
export function multiply4(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): Float64Array {
  const out = new Float64Array(16);
  for (let r = 0; r < 4; r++) {
    for (let c = 0; c < 4; c++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[16 * i + 4 * r + k] * b[16 * j + 4 * k + c];
      out[4 * r + c] = sum;
    }
  }
  return out;
}

/**
 * Inverse of the affine matrix `i` of `m`, as 16 numbers.
 *
 * The 3x3 part is inverted as it is and not transposed: views are rounded to 32 bits, after which they are no longer
 * exactly orthogonal, and a view times its own inverse must be the identity.
 */
export function inverseAffine4(m: ArrayLike<number>, i: number): Float64Array {
  const [a, b, c, x, d, e, f, y, g, h, k, z] = Array.from({ length: 12 }, (_, n) => m[16 * i + n]);
  const det = a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g);
  const r = [
    (e * k - f * h) / det,
    (c * h - b * k) / det,
    (b * f - c * e) / det,
    (f * g - d * k) / det,
    (a * k - c * g) / det,
    (c * d - a * f) / det,
    (d * h - e * g) / det,
    (b * g - a * h) / det,
    (a * e - b * d) / det,
  ];
  const out = new Float64Array(16);
  for (let n = 0; n < 3; n++) {
    out.set(r.slice(3 * n, 3 * n + 3), 4 * n);
    out[4 * n + 3] = -(r[3 * n] * x + r[3 * n + 1] * y + r[3 * n + 2] * z);
  }
  out[15] = 1;
  return out;
}
