/**
 * Aligns given cameras with predicted ones by the similarity that maps one set of points onto another best.
 *
 * @module
 */
import { philox4x32 } from "../noise/philox.ts";
import { invertRigid, multiply3, quaternionToMatrix, type RigidTransform } from "./camera.ts";

/** Cameras from which on outliers are sorted out. */
export const MIN_CAMERAS_FOR_RANSAC = 10;

/** Subsets that are tried. */
const SUBSETS = 10;

/**
 * The similarity of the given camera centres to the predicted ones. From ten cameras on by random subsets (Fischler and
 * Bolles 1981): the one that most cameras agree with, the limit being the median distance to the nearest predicted
 * centre after a plain fit. `undefined` where all centres of one kind coincide.
 *
 * @param subsets Indices of the cameras of each subset; default ten fixed ones.
 */
export function alignCentres(
  given: Points3,
  predicted: Points3,
  subsets?: readonly number[][],
): Similarity | undefined {
  const plain = fitSimilarity(given, predicted);
  if (!plain || given.length < MIN_CAMERAS_FOR_RANSAC) return plain;
  const limit = medianNearest(given.map((p) => applySimilarity(plain, p)), predicted);
  let best: { inliers: number[]; error: number } = { inliers: [], error: Infinity };
  for (const subset of subsets ?? randomSubsets(given.length)) {
    const fit = fitSimilarity(subset.map((i) => given[i]), subset.map((i) => predicted[i]));
    if (!fit) continue;
    const errors = given.map((p, i) => distance(applySimilarity(fit, p), predicted[i]));
    const inliers = errors.flatMap((error, i) => (error <= limit ? [i] : []));
    const error = inliers.reduce((sum, i) => sum + errors[i], 0) / inliers.length;
    const { length } = best.inliers;
    if (inliers.length > length || (inliers.length === length && error < best.error)) best = { inliers, error };
  }
  const { inliers } = best;
  if (inliers.length < 3) return plain;
  return fitSimilarity(inliers.map((i) => given[i]), inliers.map((i) => predicted[i])) ?? plain;
}

/** Camera position of a world-to-camera pose. */
export function cameraCentre(extrinsics: RigidTransform): ArrayLike<number> {
  return invertRigid(extrinsics).translation;
}

function medianNearest(from: Points3, to: Points3): number {
  const nearest = from.map((p) => Math.min(...to.map((q) => distance(p, q)))).sort((a, b) => a - b);
  const half = nearest.length / 2;
  return (nearest[Math.ceil(half) - 1] + nearest[Math.floor(half)]) / 2;
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Half of the cameras at a time, the same ones for the same number of cameras. */
function randomSubsets(count: number): number[][] {
  const size = Math.ceil(count / 2);
  return Array.from({ length: SUBSETS }, (_, subset) => {
    const order = Array.from({ length: count }, (_, i) => i);
    for (let i = 0; i < size; i++) {
      const [word] = philox4x32([i, subset, count, 0], [0, 0]);
      const j = i + word % (count - i);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order.slice(0, size);
  });
}

/** x -> scale * rotation * x + translation */
export interface Similarity {
  readonly scale: number;
  /** 9 numbers, row by row. */
  readonly rotation: Float64Array;
  readonly translation: Float64Array;
}

/** Points as three numbers each. */
type Points3 = readonly (ArrayLike<number>)[];

/**
 * Least squares over rotation, translation and scale (Umeyama 1991), the rotation from the largest eigenvector of Horn's
 * 4x4 matrix (Horn 1987). Of points on one line any rotation about it is as good; the scale is unique all the same.
 * `undefined` when all points of one set coincide.
 */
export function fitSimilarity(from: Points3, to: Points3): Similarity | undefined {
  const [a, b] = [centred(from), centred(to)];
  const s = new Float64Array(9);
  a.points.forEach((p, n) => {
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) s[3 * i + j] += p[i] * b.points[n][j];
  });
  if (a.spread === 0 || b.spread === 0) return undefined;
  const { value, vector } = largestEigen([
    [s[0] + s[4] + s[8], s[5] - s[7], s[6] - s[2], s[1] - s[3]],
    [s[5] - s[7], s[0] - s[4] - s[8], s[1] + s[3], s[6] + s[2]],
    [s[6] - s[2], s[1] + s[3], s[4] - s[0] - s[8], s[5] + s[7]],
    [s[1] - s[3], s[6] + s[2], s[5] + s[7], s[8] - s[0] - s[4]],
  ]);
  const [w, x, y, z] = vector;
  const rotation = quaternionToMatrix([x, y, z, w]);
  const scale = value / a.spread;
  if (!(scale > 0)) return undefined;
  const turned = multiply3(rotation, a.mean);
  return { scale, rotation, translation: b.mean.map((v, i) => v - scale * turned[i]) };
}

/** A point after the similarity. */
export function applySimilarity({ scale, rotation, translation }: Similarity, point: ArrayLike<number>): Float64Array {
  return multiply3(rotation, point).map((v, i) => scale * v + translation[i]);
}

function centred(points: Points3): { mean: Float64Array; points: Float64Array[]; spread: number } {
  const mean = Float64Array.from({ length: 3 }, (_, i) => points.reduce((sum, p) => sum + p[i], 0) / points.length);
  const around = points.map((p) => Float64Array.from({ length: 3 }, (_, i) => p[i] - mean[i]));
  return { mean, points: around, spread: around.reduce((sum, p) => sum + p[0] ** 2 + p[1] ** 2 + p[2] ** 2, 0) };
}

/** Largest eigenvalue of a symmetric matrix and its vector, by Jacobi rotations. */
function largestEigen(rows: number[][]): { value: number; vector: number[] } {
  const n = rows.length;
  const m = rows.map((row) => [...row]);
  const vectors: number[][] = m.map((_, i) => m.map((_, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 50; sweep++) {
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        if (m[p][q] === 0) continue;
        const angle = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const t = (angle < 0 ? -1 : 1) / (Math.abs(angle) + Math.hypot(angle, 1));
        const c = 1 / Math.hypot(t, 1);
        const s = t * c;
        for (let k = 0; k < n; k++) [m[k][p], m[k][q]] = [c * m[k][p] - s * m[k][q], s * m[k][p] + c * m[k][q]];
        for (let k = 0; k < n; k++) [m[p][k], m[q][k]] = [c * m[p][k] - s * m[q][k], s * m[p][k] + c * m[q][k]];
        for (const row of vectors) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]];
      }
    }
    const off = m.flatMap((row, i) => row.filter((_, j) => j !== i));
    if (off.every((v) => Math.abs(v) < 1e-300)) break;
  }
  const best = m.map((row, i) => row[i]).reduce((b, v, i, all) => (v > all[b] ? i : b), 0);
  return { value: m[best][best], vector: vectors.map((row) => row[best]) };
}
