/**
 * The configuration of an actionworld snapshot.
 *
 * @module
 */
import type { VideoVae } from "../video_vae/vae_config.ts";

/** Parameters of positions and rotary tables. */
export interface PositionConfig {
  /** Channels of a head. */
  readonly headDim: number;
  /** Channel pairs of a head that turn with time, row and column. */
  readonly ropeAxes: readonly [time: number, row: number, column: number];
  /** Base of the rotary frequencies. */
  readonly ropeTheta: number;
  /** Frame rate at which one latent frame is as far from the next as four text tokens. */
  readonly baseFps: number;
  /** Frames per latent. */
  readonly framesPerLatent: number;
  /** Gap between the position of the last text token and that of the first frame. */
  readonly modalityMargin: number;
}

/** Widths and depths of the two-stream transformer. */
export interface ActionTransformerConfig extends PositionConfig {
  /** Width of both residual streams. */
  readonly hiddenSize: number;
  /** Width inside the feed-forward layers. */
  readonly intermediateSize: number;
  /** Layers. */
  readonly numLayers: number;
  /** Query heads. */
  readonly numHeads: number;
  /** Heads of keys and values, a divisor of the query heads. */
  readonly numKeyHeads: number;
  /** Added to the mean square in every norm. */
  readonly normEps: number;
  /** Rows of the token embedding. */
  readonly vocab: number;
  /** Channels of a latent. */
  readonly latentChannels: number;
  /** Rows and columns of latent pixels of one token. */
  readonly patchSize: number;
  /** Maximum number of numbers of an action; shorter rows are padded with zeros. */
  readonly actionDim: number;
  /** Embodiments with their own action weights. */
  readonly domains: number;
  /** Factor applied to a timestep before its sinusoid. */
  readonly timestepScale: number;
}

/** The whole configuration of a snapshot. */
export interface ActionworldConfig extends VideoVae {
  /** Two-stream transformer. */
  readonly transformer: ActionTransformerConfig;
  /** Default width of frames, in pixels. */
  readonly defaultWidth?: number;
  /** Default height of frames, in pixels. */
  readonly defaultHeight?: number;
  /** Default frame rate. */
  readonly defaultFps?: number;
  /** Default number of denoising steps. */
  readonly defaultSteps?: number;
  /** Prompt for the warm-up. */
  readonly defaultPrompt?: string;
}

/** The domain whose actions are camera moves. */
export const CAMERA_POSE_DOMAIN = 2;

/** Numbers of an action in that domain: a translation and two columns of a rotation. */
export const CAMERA_POSE_NUMBERS = 9;

/** Length of the sinusoid of a timestep. */
export const TIME_CHANNELS = 256;
