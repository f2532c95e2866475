/**
 * Given cameras laid upon predicted ones.
 *
 * @module
 */
import { philox4x32 } from "../noise/philox.ts";
import { invertRigid, type RigidTransform } from "./camera.ts";
import { applySimilarity, fitSimilarity, type Points3, type Similarity } from "./similarity_transform.ts";

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
