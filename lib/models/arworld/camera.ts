/**
 * Camera matrices of the camera attention (PRoPE, Li et al. 2025, "Cameras as Relative Positional Encoding").
 *
 * @module
 */

/** Focal lengths divided by the width and the height of the image. The principal point has no effect on the model. */
export interface Intrinsics {
  readonly fx: number;
  readonly fy: number;
}

/** The lens the released weights were trained with, at every resolution: images are stretched to their size. */
export const INTRINSICS: Intrinsics = { fx: 969.69697 / 1920, fy: 969.69697 / 1080 };

/** Three 4x4 matrices a view, row-major, `[views, 16]` each. */
export interface CameraMatrices {
  /** P = diag(fx, fy, 1, 1) V: applied to the result of the attention. */
  readonly p: Float32Array;
  /** Applied to queries. */
  readonly pTransposed: Float32Array;
  /** P^-1 = V^-1 diag(1/fx, 1/fy, 1, 1): applied to keys and values. */
  readonly pInverse: Float32Array;
}

/**
 * The projection of every view with its transpose and inverse.
 *
 * @param views World-to-camera matrices `[R | t]` with orthogonal R, `[n, 16]`.
 */
export function cameraMatrices(views: ArrayLike<number>, intrinsics: Intrinsics = INTRINSICS): CameraMatrices {
  const p = new Float32Array(views.length);
  const pTransposed = new Float32Array(views.length);
  const pInverse = new Float32Array(views.length);
  const focal = [intrinsics.fx, intrinsics.fy, 1, 1];
  for (let at = 0; at < views.length; at += 16) {
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) {
        const v = views[at + 4 * i + j];
        p[at + 4 * i + j] = focal[i] * v;
        pTransposed[at + 4 * j + i] = focal[i] * v;
        if (i < 3 && j < 3) pInverse[at + 4 * j + i] = v / focal[i]; // V^-1 = [R^T | -R^T t]
      }
    }
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += views[at + 4 * i + j] * views[at + 4 * i + 3];
      pInverse[at + 4 * j + 3] = -sum;
    }
    pInverse[at + 15] = 1;
  }
  return { p, pTransposed, pInverse };
}
