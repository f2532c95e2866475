/**
 * What the configuration of a Z-Image transformer says, in the words of the code.
 *
 * @module
 */

/** Widths and depths of the transformer. */
export interface ZImageTransformerConfig {
  /** Width of the stream. */
  readonly hiddenSize: number;
  /** Heads. */
  readonly numHeads: number;
  /** Blocks over image and text together. */
  readonly numBlocks: number;
  /** Blocks over the image alone, and as many over the text alone, before these. */
  readonly numRefiners: number;
  /** Channels of a latent pixel. */
  readonly latentChannels: number;
  /** Channels of a text token. */
  readonly textChannels: number;
  /** Channels of a head that turn with time, row and column; together the whole head. */
  readonly ropeAxes: readonly number[];
  /** Base of the rotary frequencies. */
  readonly ropeTheta: number;
  /** Added to the mean square in every norm of a block. */
  readonly normEps: number;
}

/** Rows and columns of latent pixels that make one token. */
export const PATCH_SIZE = 2;

/** Length of the sinusoid of a timestep. */
export const TIME_CHANNELS = 256;
