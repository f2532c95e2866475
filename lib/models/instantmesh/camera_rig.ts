/**
 * Where the views of an object are expected to be taken from.
 *
 * @module
 */
import { CAMERA_NUMBERS } from "./config.ts";

/** Distance of the cameras and their field of view. */
export interface RigOptions {
  /** Default 4. */
  readonly radius?: number;
  /** Default 30 degrees. */
  readonly fovDegrees?: number;
}

/** Azimuth and elevation of the six views in degrees. */
export const RIG_ANGLES: readonly (readonly [azimuth: number, elevation: number])[] = [
  [30, 20],
  [90, -10],
  [150, 20],
  [210, -10],
  [270, 20],
  [330, -10],
];

/** Which of the six views are the four of a smaller set. */
export const FOUR_VIEWS: readonly number[] = [0, 2, 4, 5];

/**
 * Camera-to-world as 16 numbers, row by row: at the distance `radius` from the origin and looking at it, world z up,
 * camera x right, y up, z backward.
 */
export function orbitPose(azimuthDegrees: number, elevationDegrees: number, radius: number): Float64Array {
  const [azimuth, elevation] = [azimuthDegrees, elevationDegrees].map((degrees) => degrees * Math.PI / 180);
  const flat = Math.cos(elevation);
  const z = [flat * Math.cos(azimuth), flat * Math.sin(azimuth), Math.sin(elevation)];
  const x = [-Math.sin(azimuth), Math.cos(azimuth), 0];
  const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
  const rows = [0, 1, 2].flatMap((i) => [x[i], y[i], z[i], radius * z[i]]);
  return Float64Array.of(...rows, 0, 0, 0, 1);
}

/** The sixteen numbers of each camera that the network reads, [views,16]; four views are part of the six. */
export function cameraRig(views: 4 | 6, { radius = 4, fovDegrees = 30 }: RigOptions = {}): Float32Array {
  const focal = 0.5 / Math.tan(fovDegrees * Math.PI / 360);
  const angles = views === 6 ? RIG_ANGLES : FOUR_VIEWS.map((i) => RIG_ANGLES[i]);
  const rows = new Float32Array(CAMERA_NUMBERS * angles.length);
  angles.forEach(([azimuth, elevation], i) => {
    rows.set(orbitPose(azimuth, elevation, radius).subarray(0, 12), CAMERA_NUMBERS * i);
    rows.set([focal, focal, 0.5, 0.5], CAMERA_NUMBERS * i + 12);
  });
  return rows;
}
