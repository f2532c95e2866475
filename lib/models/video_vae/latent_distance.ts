/**
 * How far a picture is from those that a model was trained on, measured on the latents of its encoder.
 *
 * @module
 */

/**
 * Statistics of the latents of one kind of pictures that a model was trained on; `tests/eval/measure_knows.ts` writes
 * them.
 */
export interface KnownLatents {
  /** Mean of each feature. */
  readonly mean: readonly number[];
  /** Standard deviation of each feature. */
  readonly std: readonly number[];
  /** The directions in which the features of training pictures vary together, as unit vectors. */
  readonly basis: readonly (readonly number[])[];
  /** Variance along each of them, in units of `std`. */
  readonly variance: readonly number[];
  /** Variance along every other direction. */
  readonly rest: number;
  /**
   * Distance of the farthest picture that counts as known: somewhat beyond the farthest picture of this kind that was
   * not measured.
   */
  readonly limit: number;
  /** Folder in the model's roots of a model that was made for this kind; the model itself when omitted. */
  readonly place?: string | undefined;
}

/** The kind of pictures that one is nearest to. */
export interface NearestKind {
  /** In units of its limit: what is above 1 is not known. */
  readonly distance: number;
  /** See {@linkcode KnownLatents.place}. */
  readonly place?: string | undefined;
}

/** Horizontal bands whose means are features: where floor, walls and ceiling are. */
const BANDS = 4;

/** Added to a standard deviation before its logarithm. */
const FLOOR = 0.05;

/** Features of one channel. */
const PER_CHANNEL = 2 + BANDS;

/** How many features latents of so many channels have. */
export function featureCount(channels: number): number {
  return channels * PER_CHANNEL;
}

/**
 * The features of latents [channels,height,width]: of each channel the mean, the logarithm of the standard deviation,
 * and the means of four horizontal bands.
 */
export function latentFeatures(latents: Float32Array, channels: number, height: number): Float64Array {
  const cells = latents.length / channels;
  const width = cells / height;
  const features = new Float64Array(featureCount(channels));
  for (let c = 0; c < channels; c++) {
    const channel = latents.subarray(c * cells, (c + 1) * cells);
    const mean = meanOf(channel);
    const variance = channel.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cells;
    const bands = Array.from({ length: BANDS }, (_, band) => {
      const [from, to] = [band, band + 1].map((edge) => Math.floor(edge * height / BANDS) * width);
      return to > from ? meanOf(channel.subarray(from, to)) : mean;
    });
    features.set([mean, Math.log(Math.sqrt(variance) + FLOOR), ...bands], c * PER_CHANNEL);
  }
  return features;
}

/** The kind of pictures that features are nearest to, each distance in units of the kind's own limit. */
export function nearestKind(kinds: readonly KnownLatents[], features: Float64Array): NearestKind {
  const found = kinds.map((known) => ({
    distance: distanceFrom(known, features),
    ...known.place !== undefined && { place: known.place },
  }));
  return found.reduce((nearest, kind) => kind.distance < nearest.distance ? kind : nearest);
}

/**
 * Squared Mahalanobis distance, a feature. The covariance is of low rank: a few directions with a variance of their own,
 * and one for all others.
 */
function distanceFrom(known: KnownLatents, features: Float64Array): number {
  const scaled = features.map((value, i) => (value - known.mean[i]) / known.std[i]);
  let sum = scaled.reduce((total, value) => total + value * value, 0) / known.rest;
  for (const [k, direction] of known.basis.entries()) {
    const along = direction.reduce((total, part, i) => total + part * scaled[i], 0);
    sum -= along * along * (1 / known.rest - 1 / known.variance[k]);
  }
  return sum / features.length / known.limit;
}

function meanOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
