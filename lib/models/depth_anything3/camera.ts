/**
 * Pinhole cameras with a pose.
 *
 * @module
 */
import type { ImageSize } from "../images/resample.ts";

/** Focal lengths and principal point in pixels. */
export interface PixelIntrinsics {
  readonly fx: number;
  readonly fy: number;
  readonly cx: number;
  readonly cy: number;
}

/** A rotation and a translation: x -> rotation * x + translation. */
export interface RigidTransform {
  /** 9 numbers, row by row. */
  readonly rotation: ArrayLike<number>;
  readonly translation: ArrayLike<number>;
}

/** A camera of a scene; axes x right, y down, z forward. */
export interface Camera {
  readonly intrinsics: PixelIntrinsics;
  /** World to camera. */
  readonly extrinsics: RigidTransform;
}

/** The inverse, with the transposed rotation. */
export function invertRigid({ rotation: r, translation: t }: RigidTransform): RigidTransform {
  const rotation = Float64Array.from({ length: 9 }, (_, i) => r[3 * (i % 3) + Math.floor(i / 3)]);
  return { rotation, translation: multiply3(rotation, t).map((v) => -v) };
}

/** a after b. */
export function composeRigid(a: RigidTransform, b: RigidTransform): RigidTransform {
  const rotation = Float64Array.from({ length: 9 }, (_, i) => {
    const [row, column] = [Math.floor(i / 3), i % 3];
    return [0, 1, 2].reduce((sum, k) => sum + a.rotation[3 * row + k] * b.rotation[3 * k + column], 0);
  });
  const turned = multiply3(a.rotation, b.translation);
  return { rotation, translation: turned.map((v, i) => v + a.translation[i]) };
}

/** A 3x3 matrix, row by row, times a vector. */
export function multiply3(m: ArrayLike<number>, v: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: 3 }, (_, i) => m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2]);
}

/** Intrinsics of an image that is scaled, then cropped at the left and the top. */
export function resizeIntrinsics(
  k: PixelIntrinsics,
  from: ImageSize,
  to: ImageSize,
  crop: readonly number[] = [0, 0],
): PixelIntrinsics {
  const [sx, sy] = [to.width / from.width, to.height / from.height];
  return { fx: k.fx * sx, fy: k.fy * sy, cx: k.cx * sx - crop[0], cy: k.cy * sy - crop[1] };
}
