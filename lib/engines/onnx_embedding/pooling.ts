/**
 * Pools token vectors into a text vector.
 *
 * @module
 */

/** Pooling modes, in the order in which sentence-transformers concatenates them. */
export const POOLINGS = ["cls", "max", "mean", "mean_sqrt_len", "weighted_mean", "last_token"] as const;

/** One of {@linkcode POOLINGS}. */
export type Pooling = typeof POOLINGS[number];

/**
 * Pools the vectors of a text's tokens (Reimers and Gurevych 2019, Sentence-BERT; the weights of `weighted_mean` are
 * the token positions counted from 1, Muennighoff 2022, SGPT).
 *
 * @param tokens Vectors of `width` numbers, concatenated.
 * @param from Tokens before this one are an excluded prompt.
 * @param to Tokens from this one on are padding.
 */
export function pool(
  tokens: Float32Array,
  width: number,
  from: number,
  to: number,
  pooling: Pooling,
): Float64Array<ArrayBuffer> {
  switch (pooling) {
    case "cls":
      return row(tokens, width, 0);
    case "last_token":
      return row(tokens, width, to - 1);
    case "max":
      return largest(tokens, width, from, to);
    case "mean":
      return scaled(sum(tokens, width, from, to, () => 1), 1 / (to - from));
    case "mean_sqrt_len":
      return scaled(sum(tokens, width, from, to, () => 1), 1 / Math.sqrt(to - from));
    case "weighted_mean":
      return scaled(sum(tokens, width, from, to, (at) => at + 1), 2 / ((to - from) * (from + to + 1)));
  }
}

/** The normalized vector; a zero vector stays unchanged. */
export function normalized(vector: Float64Array): Float64Array<ArrayBuffer> {
  const length = Math.sqrt(vector.reduce((total, x) => total + x * x, 0));
  return scaled(vector, 1 / Math.max(length, 1e-12));
}

function row(tokens: Float32Array, width: number, at: number): Float64Array<ArrayBuffer> {
  return Float64Array.from(tokens.subarray(at * width, (at + 1) * width));
}

function largest(tokens: Float32Array, width: number, from: number, to: number): Float64Array<ArrayBuffer> {
  const out = row(tokens, width, from);
  for (let at = from + 1; at < to; at++) {
    for (let i = 0; i < width; i++) out[i] = Math.max(out[i], tokens[at * width + i]);
  }
  return out;
}

function sum(
  tokens: Float32Array,
  width: number,
  from: number,
  to: number,
  weight: (at: number) => number,
): Float64Array<ArrayBuffer> {
  const out = new Float64Array(width);
  for (let at = from; at < to; at++) {
    const factor = weight(at);
    for (let i = 0; i < width; i++) out[i] += factor * tokens[at * width + i];
  }
  return out;
}

function scaled(vector: Float64Array, factor: number): Float64Array<ArrayBuffer> {
  return vector.map((x) => x * factor);
}
