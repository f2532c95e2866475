/**
 * Poses of the camera in the world.
 *
 * @module
 */

/** A pose: 16 numbers, row-major, of a rigid world-to-camera matrix. */
export interface WorldPose {
  /** The matrix, row by row. */
  readonly worldToCamera: readonly number[];
}

/** A 4x4 matrix, row-major; a pose is the rigid world-to-camera one. */
export type Matrix4 = readonly number[];

/** The pose of a world's origin. */
export const ORIGIN: Matrix4 = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** A pose as sent over the wire. */
export function poseRecord(pose: Matrix4): WorldPose {
  return { worldToCamera: [...pose] };
}

/** Where the camera of a rigid world-to-camera matrix is: `-Rᵀt`, right, down and forward. */
export function cameraPosition(pose: Matrix4): [number, number, number] {
  const along = (axis: number): number =>
    -(pose[axis] * pose[3] + pose[4 + axis] * pose[7] + pose[8 + axis] * pose[11]) + 0;
  return [along(0), along(1), along(2)];
}
