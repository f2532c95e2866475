/**
 * What the configurations of an actionworld snapshot say, in the words of the code.
 *
 * @module
 */
import type { VideoVae } from "../video_vae/vae_config.ts";

/** What positions and rotary tables depend on. */
export interface PositionConfig {
  /** Channels of a head. */
  readonly headDim: number;
  /** Channel pairs of a head that turn with time, row and column. */
  readonly ropeAxes: readonly [time: number, row: number, column: number];
  /** Base of the rotary frequencies. */
  readonly ropeTheta: number;
  /** Frames per second at which one latent frame is as far from the next as one text token is from four. */
  readonly baseFps: number;
  /** Frames that a latent stands for. */
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
  /** Rows and columns of latent pixels that make one token. */
  readonly patchSize: number;
  /** Numbers that an action may have; rows with fewer are filled with zeros. */
  readonly actionDim: number;
  /** Kinds of bodies that have action weights of their own. */
  readonly domains: number;
  /** What a timestep is multiplied with before it becomes a sinusoid. */
  readonly timestepScale: number;
}

/** Everything that a snapshot's configurations say. */
export interface ActionworldConfig extends VideoVae {
  /** Two-stream transformer. */
  readonly transformer: ActionTransformerConfig;
  /** Width of frames where nothing else is asked for, in pixels. */
  readonly defaultWidth?: number;
  /** Height of frames where nothing else is asked for, in pixels. */
  readonly defaultHeight?: number;
  /** Frames per second where nothing else is asked for. */
  readonly defaultFps?: number;
  /** Denoising steps where nothing else is asked for. */
  readonly defaultSteps?: number;
  /** Prompt that the model is warmed up with. */
  readonly defaultPrompt?: string;
}

/** The domain whose actions are moves of a camera. */
export const CAMERA_POSE_DOMAIN = 2;

/** Numbers of an action in that domain: a translation and two columns of a rotation. */
export const CAMERA_POSE_NUMBERS = 9;

/** Length of the sinusoid of a timestep. */
export const TIME_CHANNELS = 256;
