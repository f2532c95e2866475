/**
 * When the pose of a new latent counts as a return to a stored one.
 *
 * @module
 */
import { cameraPosition, type Matrix4 } from "../../protocol/pose.ts";
import type { SceneMemoryPolicyRecord } from "../../protocol/wire.ts";

/** Compares the poses of two latents, both world-to-camera matrices. */
export interface RevisitRule {
  /** Minimum number of latents between a stored one and the one with the global index `target`. */
  requiredGap(policy: SceneMemoryPolicyRecord, target: number): number;
  /** Whether `a` may be drawn towards a latent stored at `b`. */
  isNear(policy: SceneMemoryPolicyRecord, a: Matrix4, b: Matrix4): boolean;
  /** Whether `a` and `b` count as the same pose. */
  isSame(policy: SceneMemoryPolicyRecord, a: Matrix4, b: Matrix4): boolean;
  /**
   * Among all near latents the one with the lowest cost is taken, among equals (within {@linkcode ROUNDING}) the
   * oldest.
   */
  cost(a: Matrix4, b: Matrix4): number;
}

/** How far apart two equal poses may appear, in degrees or model units, because they are rounded to 32 bits. */
export const ROUNDING: number = 1e-6;

/**
 * The rule of sessions. The limits of the policy apply to the angle of the whole rotation between two poses: yaw alone
 * would take a look at the ceiling for the level view from the same spot, and is undefined when the camera looks
 * straight up. With a level horizon the angle is never below the difference in yaw.
 * The gap grows with the walk, by a fifth of the index, and ten degrees cost as much as one unit of distance.
 */
export const WHOLE_ROTATION: RevisitRule = {
  requiredGap: (policy, target) => Math.max(policy.minimumFrameGap, Math.floor(target / 5)),
  isNear: (policy, a, b) =>
    isWithin(rotationAngle(a, b), policy.maximumYawDistanceDegrees) &&
    isWithin(positionDistance(a, b), policy.maximumTranslationDistance),
  isSame: (policy, a, b) =>
    isWithin(rotationAngle(a, b), policy.exactRevisitMaximumYawDistanceDegrees) &&
    isWithin(positionDistance(a, b), policy.exactRevisitMaximumTranslationDistance),
  cost: (a, b) => rotationAngle(a, b) + 10 * positionDistance(a, b),
};

/** Whether a distance is within the limit, allowing for rounding. */
export function isWithin(distance: number, limit: number): boolean {
  return distance <= limit + ROUNDING;
}

/**
 * Angle of the rotation from one pose to the other, 0 to 180 degrees.
 * Computed from the chord |A - B| = 2 sqrt(2) sin(angle / 2) of the rotation matrices: the arc cosine of the trace
 * would amplify the rounding of 32-bit poses to hundredths of a degree.
 */
export function rotationAngle(a: Matrix4, b: Matrix4): number {
  let sum = 0;
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) sum += (a[4 * row + column] - b[4 * row + column]) ** 2;
  }
  return 2 * Math.asin(Math.min(1, Math.sqrt(sum / 8))) * 180 / Math.PI;
}

/** Distance between the cameras of two poses, in model units. */
export function positionDistance(a: Matrix4, b: Matrix4): number {
  const [at, from] = [cameraPosition(a), cameraPosition(b)];
  return Math.sqrt(at.reduce((sum, coordinate, axis) => sum + (coordinate - from[axis]) ** 2, 0));
}
