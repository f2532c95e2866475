/**
 * The camera that fits points best.
 *
 * @module
 */
import { planeCoordinates } from "../images/planes.ts";
import type { ImageSize } from "../images/resample.ts";
import { levenbergMarquardt, type Residuals } from "./levenberg_marquardt.ts";

/** Points [H,W,3] of an image's pixels, and which of them count. */
export interface PointMap extends ImageSize {
  readonly points: Float32Array;
  /** Not 0 where a point counts. */
  readonly mask?: ArrayLike<number> | undefined;
}

/** Focal length in halves of the image's diagonal, and what is added to every z. */
export interface FocalShift {
  readonly focal: number;
  readonly shift: number;
  /** Points that were looked at. */
  readonly samples: number;
}

/** Side of the grid of points that are looked at. */
const SIDE = 64;

/** Share of the cost that ends the search in the published code. */
const PUBLISHED_TOLERANCE = 1e-3;

/** What is known, and how long is searched. */
export interface FocalShiftOptions {
  /** The focal length where it is known. */
  readonly focal?: number | undefined;
  /** Ends the search when a step gains at most this share of the cost; default that of the published code. */
  readonly tolerance?: number;
}

/**
 * The focal length f and shift s with which the points (x, y, z + s) project nearest to their pixels: the least squares
 * of f * (x, y) / (z + s) - (u, v) over s, with f solved in closed form, from s = 0 (Wang et al. 2025, section 3.1).
 * Looks at 64 x 64 points, nearest neighbours, repeated where the map is smaller.
 */
export function recoverFocalShift(map: PointMap, options: FocalShiftOptions = {}): FocalShift {
  const { focal: known, tolerance = PUBLISHED_TOLERANCE } = options;
  const points = samplePoints(map);
  const samples = points.length / 5;
  if (samples < 2) return { focal: known ?? 1, shift: 0, samples };
  const shift = levenbergMarquardt((place) => residuals(points, place, known), 0, tolerance);
  return { focal: known ?? focalAt(points, shift).focal, shift, samples };
}

/** The focal length that fits a shift best, and its derivative along the shift. */
function focalAt(points: Float64Array, shift: number): { readonly focal: number; readonly slope: number } {
  let [products, squares, dProducts, dSquares] = [0, 0, 0, 0];
  for (let i = 0; i < points.length; i += 5) {
    const inverse = 1 / (points[i + 2] + shift);
    const [px, py] = [points[i] * inverse, points[i + 1] * inverse];
    const along = px * points[i + 3] + py * points[i + 4];
    const square = px * px + py * py;
    products += along;
    squares += square;
    dProducts -= along * inverse;
    dSquares -= 2 * square * inverse;
  }
  const focal = products / squares;
  return { focal, slope: (dProducts - focal * dSquares) / squares };
}

function residuals(points: Float64Array, shift: number, known: number | undefined): Residuals {
  const { focal, slope: focalSlope } = known === undefined ? focalAt(points, shift) : { focal: known, slope: 0 };
  let [cost, gradient, curvature] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 5) {
    const inverse = 1 / (points[i + 2] + shift);
    for (let c = 0; c < 2; c++) {
      const p = points[i + c] * inverse;
      const error = focal * p - points[i + 3 + c];
      const slope = focalSlope * p - focal * p * inverse;
      cost += error * error;
      gradient += error * slope;
      curvature += slope * slope;
    }
  }
  return { cost, gradient, curvature };
}

/** x, y, z, u, v of each point that counts. */
function samplePoints({ points, mask, width, height }: PointMap): Float64Array {
  const plane = planeCoordinates({ width, height });
  const samples: number[] = [];
  for (let i = 0; i < SIDE; i++) {
    const row = Math.floor(i * height / SIDE);
    for (let j = 0; j < SIDE; j++) {
      const column = Math.floor(j * width / SIDE);
      const at = row * width + column;
      if (mask && !mask[at]) continue;
      samples.push(points[3 * at], points[3 * at + 1], points[3 * at + 2], plane.x[column], plane.y[row]);
    }
  }
  return Float64Array.from(samples);
}
