/**
 * The view that the others are placed around.
 *
 * @module
 */

/** How the reference view is chosen. */
export type ReferenceStrategy = "first" | "middle" | "saddle-balanced" | "saddle-similarity-range";

/** The strategies by name. */
export const REFERENCE_STRATEGIES: readonly ReferenceStrategy[] = [
  "first",
  "middle",
  "saddle-balanced",
  "saddle-similarity-range",
];

/** Views below which the first one is the reference, whatever the strategy. */
export const MIN_VIEWS_TO_CHOOSE = 3;

/** What the class tokens of the views say about each of them. */
interface ViewScores {
  /** Mean cosine with the other views. */
  readonly similarityMean: readonly number[];
  /** Largest less smallest cosine, 0 for the view with itself. */
  readonly similarityRange: readonly number[];
  /** Length of the class token. */
  readonly norm: readonly number[];
  /** Variance over the channels of the class token at unit length. */
  readonly variance: readonly number[];
}

/** Scores of two or more views from their class tokens, each [C]. */
export function scoreViews(tokens: readonly Float32Array[]): ViewScores {
  const norm = tokens.map((token) => Math.hypot(...token));
  const units = tokens.map((token, i) => Float64Array.from(token, (v) => v / norm[i]));
  const cosines = units.map((a) => units.map((b) => a.reduce((sum, v, c) => sum + v * b[c], 0)));
  return {
    similarityMean: cosines.map((row) => (row.reduce((sum, v) => sum + v, 0) - 1) / (row.length - 1)),
    similarityRange: cosines.map((row, i) => {
      const others = row.with(i, 0);
      return Math.max(...others) - Math.min(...others);
    }),
    norm,
    variance: units.map((unit) => {
      const mean = unit.reduce((sum, v) => sum + v, 0) / unit.length;
      return unit.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (unit.length - 1);
    }),
  };
}

/** Index of the reference view; of equal scores the first. */
export function referenceView(tokens: readonly Float32Array[], strategy: ReferenceStrategy): number {
  switch (strategy) {
    case "first":
      return 0;
    case "middle":
      return Math.floor(tokens.length / 2);
    case "saddle-balanced": {
      if (tokens.length < 2) return 0;
      const { similarityMean, norm, variance } = scoreViews(tokens);
      const shares = [similarityMean, norm, variance].map(toUnitRange);
      return smallest(tokens.map((_, i) => shares.reduce((sum, share) => sum + Math.abs(share[i] - 0.5), 0)));
    }
    case "saddle-similarity-range":
      return tokens.length < 2 ? 0 : smallest(scoreViews(tokens).similarityRange.map((range) => -range));
  }
}

/** The reference first, the others in their order. */
export function viewOrder(views: number, reference: number): number[] {
  return [reference, ...Array.from({ length: views }, (_, i) => i).filter((i) => i !== reference)];
}

function toUnitRange(values: readonly number[]): number[] {
  const low = Math.min(...values);
  const range = Math.max(...values) - low + 1e-8;
  return values.map((v) => (v - low) / range);
}

function smallest(values: readonly number[]): number {
  return values.reduce((best, v, i) => (v < values[best] ? i : best), 0);
}
