/**
 * Rotations as quaternions x, y, z, w.
 *
 * @module
 */

/** The matrix (9 numbers, row by row) of a quaternion of any length but 0. */
export function quaternionToMatrix([x, y, z, w]: ArrayLike<number> & Iterable<number>): Float64Array {
  const s = 2 / (x * x + y * y + z * z + w * w);
  return Float64Array.of(
    1 - s * (y * y + z * z),
    s * (x * y - z * w),
    s * (x * z + y * w),
    s * (x * y + z * w),
    1 - s * (x * x + z * z),
    s * (y * z - x * w),
    s * (x * z - y * w),
    s * (y * z + x * w),
    1 - s * (x * x + y * y),
  );
}

/** The quaternion with w >= 0 of a rotation matrix, worked out from its largest part (Shepperd 1978). */
export function matrixToQuaternion(m: ArrayLike<number>): Float64Array {
  const [a, b, c] = [m[0], m[4], m[8]];
  const doubled = [1 + a - b - c, 1 - a + b - c, 1 - a - b + c, 1 + a + b + c].map((v) => Math.sqrt(Math.max(v, 0)));
  const [xy, xz, yz] = [m[3] + m[1], m[2] + m[6], m[5] + m[7]];
  const [xw, yw, zw] = [m[7] - m[5], m[2] - m[6], m[3] - m[1]];
  const largest = [3, 0, 1, 2].reduce((best, i) => (doubled[i] > doubled[best] ? i : best));
  const products = [[0, xy, xz, xw], [xy, 0, yz, yw], [xz, yz, 0, zw], [xw, yw, zw, 0]][largest];
  products[largest] = doubled[largest] ** 2;
  const sign = products[3] < 0 ? -1 : 1;
  return Float64Array.from(products, (v) => sign * v / (2 * doubled[largest]));
}
