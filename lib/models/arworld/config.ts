/**
 * The configuration of an arworld.
 *
 * @module
 */
import type { VideoVae } from "../video_vae/vae_config.ts";
import { LATENTS_PER_BLOCK } from "./camera/trajectory.ts";

/** Widths and depths of the UMT5 text encoder. */
export interface TextEncoderConfig {
  /** Rows of the embedding table. */
  readonly vocab: number;
  /** Width of the residual stream. */
  readonly dim: number;
  /** Width of all attention heads together. */
  readonly dimAttn: number;
  /** Width inside the feed-forward layers. */
  readonly dimFfn: number;
  /** Attention heads. */
  readonly numHeads: number;
  /** Layers. */
  readonly numLayers: number;
  /** Buckets of relative positions. */
  readonly numBuckets: number;
}

/** Widths and depths of the causal transformer. */
export interface TransformerConfig {
  /** Width of the residual stream. */
  readonly dim: number;
  /** Width inside the feed-forward layers. */
  readonly ffnDim: number;
  /** Heads of every attention. */
  readonly numHeads: number;
  /** Layers. */
  readonly numLayers: number;
  /** Channels of a latent, in and out. */
  readonly zDim: number;
  /** Length of the sinusoid of a timestep. */
  readonly freqDim: number;
  /** Width of the text encoder's rows. */
  readonly textDim: number;
  /** Rows of text; shorter prompts are padded with zeros. */
  readonly textLen: number;
  /** Factor by which the camera attention is narrower than the model. */
  readonly attnCompress: number;
  /** Frames of the attention window, including the current block. */
  readonly windowFrames: number;
}

/** The whole configuration of both roots. */
export interface ArworldConfig extends VideoVae {
  /** Text encoder. */
  readonly textEncoder: TextEncoderConfig;
  /** Causal transformer. */
  readonly transformer: TransformerConfig;
  /** Share of the Lab colour transfer in the result, 0 (off) to 1. */
  readonly colorStrength: number;
  /** Default width of frames, in pixels. */
  readonly defaultWidth?: number;
  /** Default height of frames, in pixels. */
  readonly defaultHeight?: number;
  /** Default frame rate. */
  readonly defaultFps?: number;
  /** Prompt for the warm-up. */
  readonly defaultPrompt?: string;
}

/** Number of committed blocks in the window of a new block: the first of the chain and the newest ones. */
export function contextBlocks(config: TransformerConfig): number {
  return config.windowFrames / LATENTS_PER_BLOCK - 1;
}
