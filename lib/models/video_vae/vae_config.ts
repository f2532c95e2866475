/**
 * What a configuration says about the video autoencoder.
 *
 * @module
 */

/** Widths and depths of the video autoencoder. */
export interface VaeConfig {
  /** Channels of a latent. */
  readonly zDim: number;
  /** Width of the encoder before its multiples. */
  readonly dim: number;
  /** Width of the decoder before its multiples. */
  readonly decDim: number;
  /** Width of each stage as a multiple, outermost first; every stage but the last halves the size. */
  readonly dimMult: readonly number[];
  /** Residual blocks of an encoder stage; the decoder has one more. */
  readonly numResBlocks: number;
  /** Which encoder stages halve the number of frames as well. */
  readonly temporalDownsample: readonly boolean[];
}

/** A video autoencoder and the statistics of its latents. */
export interface VideoVae {
  /** Video autoencoder. */
  readonly vae: VaeConfig;
  /** Mean of each latent channel over the training data. */
  readonly latentsMean: readonly number[];
  /** Standard deviation of each latent channel over the training data. */
  readonly latentsStd: readonly number[];
}
