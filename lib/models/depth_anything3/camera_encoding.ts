/**
 * Cameras as the nine numbers that the network reads and writes.
 *
 * @module
 */
import type { ImageSize } from "../images/resample.ts";
import { type Camera, composeRigid, invertRigid, type RigidTransform } from "./camera.ts";
import { matrixToQuaternion, quaternionToMatrix } from "./quaternion.ts";

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
