/**
 * The camera that fits points best, by nonlinear least squares over one unknown.
 *
 * @module
 */
import { planeCoordinates } from "../images/planes.ts";
import type { ImageSize } from "../images/resample.ts";

/** Points [H,W,3] of an image's pixels, and which of them count. */
interface PointMap extends ImageSize {
  readonly points: Float32Array;
  /** Not 0 where a point counts. */
  readonly mask?: ArrayLike<number> | undefined;
}

/** Focal length in halves of the image's diagonal, and what is added to every z. */
interface FocalShift {
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
interface FocalShiftOptions {
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

/** What a step of the search sees: the errors at a place, as sums over all of them. */
interface Residuals {
  /** Sum of the squared errors. */
  readonly cost: number;
  /** Sum of error times slope. */
  readonly gradient: number;
  /** Sum of the squared slopes. */
  readonly curvature: number;
}

/** Maximum number of steps; the search takes about ten. */
const MAX_EVALUATIONS = 200;

/**
 * Share of the place below which a smaller step changes nothing, and cosine between errors and slopes that counts as 0.
 */
const PLACE_TOLERANCE = 1e-8;

/**
 * The Levenberg-Marquardt search in the form of Moré 1978 (the one of MINPACK): a trust region that starts wide, grows
 * and shrinks with how well the linear model predicted the cost. Returns the best place found.
 *
 * @param tolerance Ends the search when a step gains, and was predicted to gain, at most this share of the cost.
 */
function levenbergMarquardt(evaluate: (place: number) => Residuals, start: number, tolerance: number): number {
  let place = start;
  let at = evaluate(place);
  let radius = 0;
  let scale = 0;
  let damping = 0;
  for (let evaluations = 1; evaluations < MAX_EVALUATIONS;) {
    const { cost, gradient, curvature } = at;
    const slope = Math.sqrt(curvature);
    if (!(Math.abs(gradient) > PLACE_TOLERANCE * slope * Math.sqrt(cost))) return place;
    if (evaluations === 1) radius = 100 * (slope * Math.abs(place) || 1);
    scale = Math.max(scale, slope);
    let ratio = 0;
    while (ratio < 1e-4 && evaluations < MAX_EVALUATIONS) {
      damping = dampingFor(gradient, curvature, scale, radius, damping);
      const step = -gradient / (curvature + damping * scale * scale);
      const reach = Math.abs(scale * step);
      if (evaluations === 1) radius = Math.min(radius, reach);
      const next = evaluate(place + step);
      evaluations++;
      const gained = next.cost < 100 * cost ? 1 - next.cost / cost : -1;
      const linear = curvature * step * step / cost;
      const damped = damping * reach * reach / cost;
      const predicted = linear + 2 * damped;
      ratio = predicted === 0 ? 0 : gained / predicted;
      if (ratio <= 0.25) {
        const descent = -(linear + damped);
        const fitted = gained >= 0 ? 0.5 : 0.5 * descent / (descent + 0.5 * gained);
        const shrink = next.cost >= 100 * cost || !(fitted >= 0.1) ? 0.1 : fitted;
        radius = shrink * Math.min(radius, 10 * reach);
        damping /= shrink;
      } else if (damping === 0 || ratio >= 0.75) {
        radius = 2 * reach;
        damping /= 2;
      }
      if (ratio >= 1e-4) {
        place += step;
        at = next;
      }
      if (Math.abs(gained) <= tolerance && predicted <= tolerance && ratio <= 2) return place;
      if (radius <= PLACE_TOLERANCE * Math.abs(scale * place) || radius === 0) return place;
    }
  }
  return place;
}

/** Damping that keeps a step within a tenth of the radius, none where the free step does already. */
function dampingFor(gradient: number, curvature: number, scale: number, radius: number, before: number): number {
  const size = (damping: number) => Math.abs(scale * gradient) / (curvature + damping * scale * scale);
  const beyond = size(0) - radius;
  if (beyond <= 0.1 * radius) return 0;
  const inverse = (damping: number) => scale * scale / (curvature + damping * scale * scale);
  let low = beyond / radius / inverse(0);
  let high = Math.abs(gradient) / scale / radius;
  let damping = Math.min(Math.max(before, low), high) || Math.abs(gradient) / scale / size(0);
  for (let i = 0; i < 10; i++) {
    const excess = size(damping) - radius;
    if (Math.abs(excess) <= 0.1 * radius) break;
    if (excess > 0) low = Math.max(low, damping);
    else high = Math.min(high, damping);
    damping = Math.max(low, damping + excess / radius / inverse(damping));
  }
  return damping;
}
