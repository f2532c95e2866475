import type { Matrix4 } from "./pose.ts";

/** Where the camera of a rigid world-to-camera matrix is: `-Rᵀt`, right, down and forward. */
export function cameraPosition(pose: Matrix4): [number, number, number] {
  const along = (axis: number): number =>
    -(pose[axis] * pose[3] + pose[4 + axis] * pose[7] + pose[8 + axis] * pose[11]) + 0;
  return [along(0), along(1), along(2)];
}
