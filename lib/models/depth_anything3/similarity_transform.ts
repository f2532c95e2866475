/**
 * The similarity that maps one set of points onto another best.
 *
 * @module
 */
import { multiply3 } from "./camera.ts";
import { quaternionToMatrix } from "./quaternion.ts";

/** x -> scale * rotation * x + translation */
export interface Similarity {
  readonly scale: number;
  /** 9 numbers, row by row. */
  readonly rotation: Float64Array;
  readonly translation: Float64Array;
}

/** Points as three numbers each. */
export type Points3 = readonly (ArrayLike<number>)[];

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
