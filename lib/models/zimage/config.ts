/**
 * What the configuration of a Z-Image transformer says, in the words of the code.
 *
 * @module
 */

import type { Flux2VaeConfig } from "../flux2/config.ts";
import type { Qwen3Config } from "../qwen3/config.ts";

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

/** The autoencoder: that of FLUX.2 without its convolutions and norm between the networks and the latents. */
export interface ZImageVaeConfig extends Flux2VaeConfig {
  /** (latents of the encoder - shift) * scale are those of the transformer. */
  readonly shift: number;
  readonly scale: number;
}

/** Everything that the configurations of a pipeline say. */
export interface ZImageConfig {
  readonly textEncoder: Qwen3Config;
  readonly transformer: ZImageTransformerConfig;
  readonly vae: ZImageVaeConfig;
  /** Of the schedule of noise levels. */
  readonly shift: number;
  /** Tokens of a prompt at most. */
  readonly textLength: number;
  readonly defaultSteps: number;
  readonly defaultSize: readonly [width: number, height: number];
}

/** Rows and columns of latent pixels that make one token. */
export const PATCH_SIZE = 2;

/** Length of the sinusoid of a timestep. */
export const TIME_CHANNELS = 256;
