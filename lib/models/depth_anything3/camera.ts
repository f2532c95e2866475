/**
 * Pinhole cameras with a pose: their geometry, whether given ones are valid, and the nine numbers that the network
 * reads and writes.
 *
 * @module
 */
import { invalidField } from "../../errors/svc_error.ts";
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

/** How far a rotation may be from an exact one. */
const ROTATION_TOLERANCE = 1e-2;

/** Largest number in a camera. */
const MAX_NUMBER = 1e6;

/**
 * Throws unless there is one valid camera a view.
 *
 * @throws {SvcError} that names the first camera that is not valid, and why.
 */
export function checkCameras(cameras: readonly Camera[], views: number): void {
  const refuse = (what: string) => invalidField("cameras", `Cannot use the cameras: ${what}`);
  if (cameras.length !== views) throw refuse(`there are ${cameras.length} for ${views} views, expected one per view`);
  cameras.forEach(({ intrinsics: { fx, fy, cx, cy }, extrinsics: { rotation, translation } }, i) => {
    const r = Array.from(rotation);
    const numbers = [fx, fy, cx, cy, ...r, ...Array.from(translation)];
    if (r.length !== 9 || translation.length !== 3) {
      throw refuse(`camera ${i} has ${r.length} and ${translation.length} numbers of pose, expected 9 and 3`);
    }
    if (!numbers.every((v) => Number.isFinite(v) && Math.abs(v) <= MAX_NUMBER)) {
      throw refuse(`camera ${i} has a number that is not finite or beyond ${MAX_NUMBER}, expected finite numbers`);
    }
    if (!(fx > 0 && fy > 0)) throw refuse(`camera ${i} has the focal lengths ${fx} and ${fy}, expected more than 0`);
    if (!isRotation(r)) throw refuse(`the rotation of camera ${i} is not orthonormal and right-handed, expected that`);
  });
}

function isRotation(r: readonly number[]): boolean {
  const dot = (a: number, b: number) => r[3 * a] * r[3 * b] + r[3 * a + 1] * r[3 * b + 1] + r[3 * a + 2] * r[3 * b + 2];
  for (let a = 0; a < 3; a++) {
    for (let b = a; b < 3; b++) if (Math.abs(dot(a, b) - (a === b ? 1 : 0)) > ROTATION_TOLERANCE) return false;
  }
  const determinant = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
    r[2] * (r[3] * r[7] - r[4] * r[6]);
  return determinant > 0;
}

/** Smallest tangent of half a field of view. */
const MIN_TANGENT = 1e-6;

/** Smallest unit of length among known cameras. */
const MIN_UNIT = 0.1;

/**
 * World-to-camera poses relative to the first one, in units of the median distance of the cameras from it (of an even
 * number the lower median).
 */
export function normalisePoses(poses: readonly RigidTransform[]): RigidTransform[] {
  const origin = invertRigid(poses[0]);
  const relative = poses.map((pose) => composeRigid(pose, origin));
  const distances = relative.map((pose) => Math.hypot(...Float64Array.from(invertRigid(pose).translation)))
    .sort((a, b) => a - b);
  const unit = Math.max(distances[Math.floor((distances.length - 1) / 2)], MIN_UNIT);
  return relative.map(({ rotation, translation }) => ({
    rotation,
    translation: Float64Array.from(translation, (v) => v / unit),
  }));
}

/** Translation and quaternion of the camera in the world, vertical and horizontal field of view in radians. */
export function encodeCamera({ intrinsics, extrinsics }: Camera, { width, height }: ImageSize): Float64Array {
  const { rotation, translation } = invertRigid(extrinsics);
  return Float64Array.of(
    ...Float64Array.from(translation),
    ...matrixToQuaternion(rotation),
    2 * Math.atan(height / 2 / intrinsics.fy),
    2 * Math.atan(width / 2 / intrinsics.fx),
  );
}

/** The camera that nine numbers describe; its principal point is the middle of the image. */
export function decodeCamera(encoding: Float32Array | Float64Array, { width, height }: ImageSize): Camera {
  const world = {
    rotation: quaternionToMatrix(encoding.subarray(3, 7)),
    translation: Float64Array.from(encoding.subarray(0, 3)),
  };
  const focal = (size: number, angle: number) => size / 2 / Math.max(Math.tan(angle / 2), MIN_TANGENT);
  return {
    intrinsics: { fx: focal(width, encoding[8]), fy: focal(height, encoding[7]), cx: width / 2, cy: height / 2 },
    extrinsics: invertRigid(world),
  };
}

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
