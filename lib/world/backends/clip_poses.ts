import type { Matrix4 } from "../protocol/pose.ts";
import { CAMERA_POSE_NUMBERS } from "../../models/actionworld/config.ts";

type Vector = readonly [number, number, number];

/**
 * The world-to-camera poses after each row of a clip's actions. A row is the camera's motion in its own axes: a
 * translation, then two columns of a rotation, which are made orthonormal here (Zhou et al. 2019, "On the Continuity of
 * Rotation Representations in Neural Networks"); columns that say nothing turn nothing.
 *
 * @param start World-to-camera pose before the first row.
 * @param actions Rows of nine numbers.
 */
export function clipPoses(start: Matrix4, actions: ArrayLike<number>): Matrix4[] {
  const poses: Matrix4[] = [];
  let pose = start;
  for (let at = 0; at + CAMERA_POSE_NUMBERS <= actions.length; at += CAMERA_POSE_NUMBERS) {
    const vector = (
      offset: number,
    ): Vector => [actions[at + offset], actions[at + offset + 1], actions[at + offset + 2]];
    pose = moved(pose, vector(0), rotationColumns(vector(3), vector(6)));
    poses.push(pose);
  }
  return poses;
}

/** `[R | t]⁻¹ V`: the rows of `Rᵀ` are the columns of `R`. */
function moved(pose: Matrix4, t: Vector, columns: readonly Vector[]): Matrix4 {
  const turned = columns.map((column) =>
    [0, 1, 2, 3].map((j) => {
      const value = column[0] * pose[j] + column[1] * pose[4 + j] + column[2] * pose[8 + j];
      return j === 3 ? value - dot(column, t) : value;
    })
  );
  return [...turned.flat(), 0, 0, 0, 1];
}

function rotationColumns(a: Vector, b: Vector): Vector[] {
  const x = normalized(a) ?? [1, 0, 0];
  const along = dot(x, b);
  const y = normalized([b[0] - along * x[0], b[1] - along * x[1], b[2] - along * x[2]]) ?? perpendicular(x);
  return [x, y, [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]];
}

/** A direction across another: down as far as possible. */
function perpendicular(x: Vector): Vector {
  const [, along] = x;
  return normalized([-along * x[0], 1 - along * along, -along * x[2]]) ?? [1, 0, 0];
}

function normalized([x, y, z]: Vector): Vector | undefined {
  const length = Math.hypot(x, y, z);
  return length > 1e-6 ? [x / length, y / length, z / length] : undefined;
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
