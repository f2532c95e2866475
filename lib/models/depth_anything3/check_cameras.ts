/**
 * Validates cameras given by callers.
 *
 * @module
 */
import { invalidField } from "../../errors/svc_error.ts";
import type { Camera } from "./camera.ts";

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
