/**
 * Converts steps of the camera to poses.
 * A camera looks along +z with x to the right and y down. A view is its world-to-camera matrix `[R^T | -R^T p]`, 16
 * numbers row-major, where `R` turns camera axes into world axes and `p` is the position. Poses are accumulated in 64
 * bits, each absolute view is rounded to 32 bits, and relative views are computed from the rounded ones, like the
 * released weights' own tools: over a long walk the order of roundings is visible.
 *
 * @module
 */
import { roundHalfToEven } from "../images/round_half_to_even.ts";

/** Forward or sideways step per pixel frame at speed 1, in model units. */
export const UNITS_PER_FRAME = 0.05;

/** Turn per pixel frame at speed 1, in degrees. */
export const DEGREES_PER_FRAME = 1;

/** Latent frames that are generated together. */
export const LATENTS_PER_BLOCK = 3;

/** What the camera does in every pixel frame of a segment, all of it together and without normalisation. */
export interface CameraStep {
  /** Along the camera's x and z, in units of {@linkcode UNITS_PER_FRAME}. */
  readonly right: number;
  readonly forward: number;
  /** Up about x and to the right about y, in units of {@linkcode DEGREES_PER_FRAME}. */
  readonly pitch: number;
  readonly yaw: number;
}

/** The steps of a path, and their durations. */
export interface CameraPath {
  /** One a segment. */
  readonly steps: readonly CameraStep[];
  /** Relative durations of the segments, positive; one per step. */
  readonly weights: readonly number[];
  /** Length of the path in latent frames. */
  readonly latentFrames: number;
  /** Factor on {@linkcode UNITS_PER_FRAME} and {@linkcode DEGREES_PER_FRAME}. */
  readonly speed: number;
}

/** Pixel frames that the latents of one stream decode to: 1 for the first, 4 for each later one. */
export function pixelFrameCount(latentFrames: number): number {
  return (latentFrames - 1) * 4 + 1;
}

/** The pixel frame whose pose each latent has: 0, 1, 5, 9, and so on. */
export function latentPixelFrames(latentFrames: number): number[] {
  return Array.from({ length: latentFrames }, (_, k) => k === 0 ? 0 : 4 * k - 3);
}

/**
 * Pixel frames of every segment: its share of the weights rounded half to even, at least one frame while there is
 * room; the last segment takes what is left, and 0 means that the segment is dropped.
 */
export function segmentLengths(weights: readonly number[], pixelFrames: number): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let left = pixelFrames;
  return weights.map((weight, i) => {
    const share = Math.max(1, roundHalfToEven((pixelFrames * weight) / sum));
    const length = i === weights.length - 1 ? left : Math.min(share, left);
    left -= length;
    return length;
  });
}

/**
 * Absolute views of the latents of a path that starts at the origin looking along +z.
 *
 * The step of a pixel frame is applied before its pose is recorded, so even latent 0 has moved once; relative views
 * cancel this.
 *
 * @returns `[latentFrames, 16]`
 *
 * @example Three latents straight ahead: frames 0, 1 and 5 lie 0, 1 and 5 steps from the first
 * ```ts
 * import { chunkRelativeViews, latentViews } from "./trajectory.ts";
 * const views = latentViews({
 *   steps: [{ right: 0, forward: 1, pitch: 0, yaw: 0 }],
 *   weights: [1],
 *   latentFrames: 3,
 *   speed: 1.5,
 * });
 * const relative = chunkRelativeViews(views);
 * console.assert(Math.abs(relative[2 * 16 + 11] - -0.375) < 1e-6);
 * ```
 */
export function latentViews({ steps, weights, latentFrames, speed }: CameraPath): Float32Array {
  const views = new Float32Array(latentFrames * 16);
  const lengths = segmentLengths(weights, pixelFrameCount(latentFrames));
  const rotation = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  const position = new Float64Array(3);
  let frame = 0;
  steps.forEach((units, segment) => {
    const step = scaled(units, speed);
    for (let n = 0; n < lengths[segment]; n++, frame++) {
      advance(rotation, position, step);
      if (frame % 4 === 1 || frame === 0) writeView(views, frame === 0 ? 0 : (frame + 3) / 4, rotation, position);
    }
  });
  return views;
}

/**
 * The views the model is conditioned on: blocks of three, the first relative to its own first view, each other one
 * relative to the last view of the block before.
 *
 * @param views Absolute views `[latentFrames, 16]`.
 */
export function chunkRelativeViews(views: Float32Array): Float32Array {
  return relativeTo(views, (k) => k < LATENTS_PER_BLOCK ? 0 : k - (k % LATENTS_PER_BLOCK) - 1);
}

/** All views relative to the first one. */
export function firstFrameRelativeViews(views: Float32Array): Float32Array {
  return relativeTo(views, () => 0);
}

/**
 * Views in the world: relative ones continued from a pose.
 *
 * @param relative Views relative to the first one, `[n, 16]`.
 * @param start World-to-camera matrix of the first one, 16 numbers.
 */
export function chainViews(relative: Float32Array, start: ArrayLike<number>): Float32Array {
  const out = new Float32Array(relative.length);
  for (let k = 0; 16 * k < out.length; k++) out.set(multiply4(relative, k, start, 0), 16 * k);
  return out;
}

/** Position of the camera of a view in the world. */
export function cameraPosition(view: ArrayLike<number>): [number, number, number] {
  const inverse = inverseAffine4(view, 0);
  return [inverse[3], inverse[7], inverse[11]];
}

/** Direction of the camera of a view about the vertical axis, in degrees; positive is to the right of +z. */
export function cameraYaw(view: ArrayLike<number>): number {
  return Math.atan2(view[8], view[10]) * 180 / Math.PI;
}

function relativeTo(views: Float32Array, reference: (k: number) => number): Float32Array {
  const out = new Float32Array(views.length);
  for (let k = 0; 16 * k < out.length; k++) {
    out.set(multiply4(views, k, inverseAffine4(views, reference(k)), 0), 16 * k);
  }
  return out;
}

/** A step in model units and radians. */
function scaled({ right, forward, pitch, yaw }: CameraStep, speed: number): CameraStep {
  const turn = speed * DEGREES_PER_FRAME * Math.PI / 180;
  const move = speed * UNITS_PER_FRAME;
  return { right: right * move, forward: forward * move, pitch: pitch * turn, yaw: yaw * turn };
}

/** R <- R Ry(yaw) Rx(pitch), then p <- p + R (right, 0, forward). */
function advance(r: Float64Array, p: Float64Array, { pitch, yaw, right, forward }: CameraStep): void {
  if (yaw !== 0) rotateColumns(r, 2, 0, yaw);
  if (pitch !== 0) rotateColumns(r, 1, 2, pitch);
  for (let i = 0; i < 3; i++) p[i] += r[3 * i] * right + r[3 * i + 2] * forward;
}

/** R times the rotation that turns axis `from` towards axis `to`. */
function rotateColumns(r: Float64Array, from: number, to: number, angle: number): void {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  for (let i = 0; i < 9; i += 3) {
    const a = r[i + from];
    const b = r[i + to];
    r[i + from] = c * a + s * b;
    r[i + to] = c * b - s * a;
  }
}

function writeView(views: Float32Array, index: number, r: Float64Array, p: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    const row = [r[i], r[3 + i], r[6 + i]];
    views.set(row, 16 * index + 4 * i);
    views[16 * index + 4 * i + 3] = -(row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
  }
  views[16 * index + 15] = 1;
}

// 4x4 matrices are 16 numbers, row-major, with the last row 0 0 0 1. Many of them follow one another in one array, so
// every function takes the index of the matrix.

/** Matrix `i` of `a` times matrix `j` of `b`, as 16 numbers. */
export function multiply4(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): Float64Array {
  const out = new Float64Array(16);
  for (let r = 0; r < 4; r++) {
    for (let c = 0; c < 4; c++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[16 * i + 4 * r + k] * b[16 * j + 4 * k + c];
      out[4 * r + c] = sum;
    }
  }
  return out;
}

/**
 * Inverse of the affine matrix `i` of `m`, as 16 numbers.
 *
 * The 3x3 part is inverted as it is and not transposed: views are rounded to 32 bits, after which they are no longer
 * exactly orthogonal, and a view times its own inverse must be the identity.
 */
function inverseAffine4(m: ArrayLike<number>, i: number): Float64Array {
  const [a, b, c, x, d, e, f, y, g, h, k, z] = Array.from({ length: 12 }, (_, n) => m[16 * i + n]);
  const det = a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g);
  const r = [
    (e * k - f * h) / det,
    (c * h - b * k) / det,
    (b * f - c * e) / det,
    (f * g - d * k) / det,
    (a * k - c * g) / det,
    (c * d - a * f) / det,
    (d * h - e * g) / det,
    (b * g - a * h) / det,
    (a * e - b * d) / det,
  ];
  const out = new Float64Array(16);
  for (let n = 0; n < 3; n++) {
    out.set(r.slice(3 * n, 3 * n + 3), 4 * n);
    out[4 * n + 3] = -(r[3 * n] * x + r[3 * n + 1] * y + r[3 * n + 2] * z);
  }
  out[15] = 1;
  return out;
}
