/**
 * What the `config.json` files of an arworld say, in the words of the code.
 *
 * @module
 */
import type { VideoVae } from "../video_vae/vae_config.ts";
import { LATENTS_PER_BLOCK } from "./trajectory.ts";

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
  /** Rows of text; shorter prompts are filled with zeros. */
  readonly textLen: number;
  /** The camera attention is this many times narrower than the model. */
  readonly attnCompress: number;
  /** Frames of the attention window, the current block included. */
  readonly windowFrames: number;
}

/** Everything that the two roots' `config.json` say. */
export interface ArworldConfig extends VideoVae {
  /** Text encoder. */
  readonly textEncoder: TextEncoderConfig;
  /** Causal transformer. */
  readonly transformer: TransformerConfig;
  /** Share of the Lab colour transfer in the result, 0 (off) to 1. */
  readonly colorStrength: number;
  /** Width of frames where nothing else is asked for, in pixels. */
  readonly defaultWidth?: number;
  /** Height of frames where nothing else is asked for, in pixels. */
  readonly defaultHeight?: number;
  /** Frames per second where nothing else is asked for. */
  readonly defaultFps?: number;
  /** Prompt that the model is warmed up with. */
  readonly defaultPrompt?: string;
}

/** Committed blocks that a new block can see: the first of the chain and the newest ones. */
export function contextBlocks(config: TransformerConfig): number {
  return config.windowFrames / LATENTS_PER_BLOCK - 1;
}
