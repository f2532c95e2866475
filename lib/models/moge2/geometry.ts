/**
 * From MoGe-2's maps to a camera and metric geometry.
 *
 * @module
 */
import type { ImageSize } from "../images/resample.ts";
import { recoverFocalShift } from "./recover_focal_shift.ts";

/** The network's maps in ordinary memory. */
export interface Moge2Output extends ImageSize {
  /** [H,W,3] */
  readonly points: Float32Array;
  /** [H,W,3] */
  readonly normal: Float32Array;
  /** [H,W], 0 to 1. */
  readonly mask: Float32Array;
  readonly metricScale: number;
}

/** A pinhole camera in shares of the image's width and height. */
interface NormalisedIntrinsics {
  readonly fx: number;
  readonly fy: number;
  readonly cx: number;
  readonly cy: number;
}

/** Metric geometry of one image; x right, y down, z forward from the camera, in metres. */
export interface Geometry extends ImageSize {
  readonly intrinsics: NormalisedIntrinsics;
  /** [H,W]: z of every pixel, infinite where there is none. */
  readonly depth: Float32Array;
  /** [H,W,3], infinite where there is none. */
  readonly points: Float32Array;
  /** [H,W,3], zero where there is none. */
  readonly normal: Float32Array;
  /** [H,W], 1 where depth is finite. */
  readonly mask: Uint8Array;
  /** Focal length in halves of the image's diagonal. */
  readonly focal: number;
  /** What was added to every z before it was scaled. */
  readonly shift: number;
  readonly metricScale: number;
}

/** Options of {@linkcode recoverGeometry}. */
export interface GeometryOptions {
  /** Horizontal field of view where it is known, in degrees. */
  readonly fovDegrees?: number | undefined;
}

/** Smaller focal lengths are not plausible: the points of a single pixel lie on the axis and say nothing of it. */
const MIN_FOCAL = 1e-6;

/**
 * Finds the camera, puts the points on its rays and scales them to metres: z + shift, where it is above 0 and the mask
 * above a half.
 */
export function recoverGeometry(output: Moge2Output, { fovDegrees }: GeometryOptions = {}): Geometry {
  const { width, height, points, metricScale } = output;
  const aspect = width / height;
  const diagonal = Math.hypot(1, aspect);
  const size = width * height;
  const mask = Uint8Array.from(output.mask, (p) => (p > 0.5 ? 1 : 0));
  const known = fovDegrees === undefined ? undefined : aspect / diagonal / Math.tan(fovDegrees * Math.PI / 360);
  const found = recoverFocalShift({ width, height, points, mask }, { focal: known });
  const { shift } = found;
  const focal = Math.abs(found.focal) >= MIN_FOCAL ? found.focal : 1;
  const fx = focal / 2 * diagonal / aspect;
  const fy = focal / 2 * diagonal;

  const depth = new Float32Array(size).fill(Infinity);
  const placed = new Float32Array(3 * size).fill(Infinity);
  const normal = new Float32Array(3 * size);
  for (let i = 0; i < size; i++) {
    const z = points[3 * i + 2] + shift;
    const metres = Math.fround(z * metricScale);
    if (!mask[i] || !(z > 0) || !Number.isFinite(metres)) {
      mask[i] = 0;
      continue;
    }
    const column = i % width;
    const row = (i - column) / width;
    depth[i] = metres;
    placed[3 * i] = ((column + 0.5) / width - 0.5) / fx * metres;
    placed[3 * i + 1] = ((row + 0.5) / height - 0.5) / fy * metres;
    placed[3 * i + 2] = metres;
    normal.set(output.normal.subarray(3 * i, 3 * i + 3), 3 * i);
  }
  const intrinsics = { fx, fy, cx: 0.5, cy: 0.5 };
  return { width, height, intrinsics, depth, points: placed, normal, mask, focal, shift, metricScale };
}
