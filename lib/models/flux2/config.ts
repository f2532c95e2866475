/**
 * The configurations of a FLUX.2 pipeline.
 *
 * @module
 */
import type { Qwen3Config } from "../qwen3/config.ts";

/** Widths and depths of the transformer. */
export interface Flux2TransformerConfig {
  /** Width of the streams. */
  readonly hiddenSize: number;
  /** Heads. */
  readonly numHeads: number;
  /** Channels of a head. */
  readonly headDim: number;
  /** Blocks with a stream for the text and one for the image. */
  readonly numDoubleBlocks: number;
  /** Blocks with one stream for both. */
  readonly numSingleBlocks: number;
  /** Channels of an image token, in and out. */
  readonly latentChannels: number;
  /** Channels of a text token. */
  readonly textChannels: number;
  /** Width inside the feed-forward layers. */
  readonly feedForwardSize: number;
  /** Length of the sinusoid of a timestep. */
  readonly timeChannels: number;
  /** Channels of a head that turn with time, row, column and place in the text; together the whole head. */
  readonly ropeAxes: readonly number[];
  /** Base of the rotary frequencies. */
  readonly ropeTheta: number;
  /** Added to the variance or the mean square in every norm. */
  readonly normEps: number;
}

/** Widths and depths of the autoencoder. */
export interface Flux2VaeConfig {
  /** Channels of a latent pixel; four of them make a token. */
  readonly latentChannels: number;
  /** Channels of the encoder's stages, each half as large as the one before. */
  readonly encoderChannels: readonly number[];
  /** The same of the decoder, in the order of the encoder. */
  readonly decoderChannels: readonly number[];
  /** Residual blocks of a stage in the encoder; the decoder has one more. */
  readonly layersPerBlock: number;
  /** Groups of channels that are normalised together. */
  readonly normGroups: number;
  /** Added to the variance of the latents. */
  readonly batchNormEps: number;
}

/** Everything that the configurations of a pipeline say. */
export interface Flux2Config {
  /** Text encoder. */
  readonly textEncoder: Qwen3Config;
  /** Transformer. */
  readonly transformer: Flux2TransformerConfig;
  /** Autoencoder. */
  readonly vae: Flux2VaeConfig;
  /** Numbers of the hidden states that make a text token. */
  readonly textStates: readonly number[];
  /** Tokens of a prompt, padding included. */
  readonly textLength: number;
  /** Whether the model was distilled: it has no second pass for guidance. */
  readonly distilled: boolean;
  /** Denoising steps where nothing else is asked for. */
  readonly defaultSteps: number;
  /** Guidance where nothing else is asked for. */
  readonly defaultGuidance: number;
  /** Width and height of images where nothing else is asked for. */
  readonly defaultSize: readonly [width: number, height: number];
  /** The one height and the largest width that a small model was trained for. */
  readonly native?: { readonly width: number; readonly height: number };
}
