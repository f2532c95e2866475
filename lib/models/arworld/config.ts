/**
 * The configuration of an arworld, and the names and shapes of the weights that it asks for, as the checkpoints call
 * them.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import type { KnownLatents } from "../video_vae/latent_distance.ts";
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
  /** Statistics of the latents of pictures that it was trained on, of each kind of them. */
  readonly knownLatents?: readonly KnownLatents[];
}

/** Folders of the worlds beside it, which are made for kinds of pictures of their own; see `ArworldPlaces`. */
export function placesBeside({ knownLatents = [] }: ArworldConfig): Set<string> {
  return new Set(knownLatents.flatMap(({ place }) => place ?? []));
}

/** Number of committed blocks in the window of a new block: the first of the chain and the newest ones. */
export function contextBlocks(config: TransformerConfig): number {
  return config.windowFrames / LATENTS_PER_BLOCK - 1;
}

/** Weights of the causal transformer (`model.safetensors`). */
export function transformerShapes(c: TransformerConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const linear = (name: string, output: number, input: number) => {
    shapes.set(`${name}.weight`, [output, input]);
    shapes.set(`${name}.bias`, [output]);
  };
  const camera = c.dim / c.attnCompress;
  shapes.set("patch_embedding.weight", [c.dim, c.zDim, 1, 2, 2]);
  shapes.set("patch_embedding.bias", [c.dim]);
  linear("text_embedding.0", c.dim, c.textDim);
  linear("text_embedding.2", c.dim, c.dim);
  linear("time_embedding.0", c.dim, c.freqDim);
  linear("time_embedding.2", c.dim, c.dim);
  linear("time_projection.1", 6 * c.dim, c.dim);
  for (let i = 0; i < c.numLayers; i++) {
    const block = `blocks.${i}`;
    shapes.set(`${block}.modulation`, [1, 6, c.dim]);
    for (const attention of ["self_attn", "cross_attn"]) {
      for (const projection of ["q", "k", "v", "o"]) linear(`${block}.${attention}.${projection}`, c.dim, c.dim);
      shapes.set(`${block}.${attention}.norm_q.weight`, [c.dim]);
      shapes.set(`${block}.${attention}.norm_k.weight`, [c.dim]);
    }
    for (const projection of ["q", "k", "v"]) linear(`${block}.cam_self_attn.${projection}_proj`, camera, c.dim);
    linear(`${block}.cam_self_attn.out_proj`, c.dim, camera);
    shapes.set(`${block}.cam_self_attn.norm_q.weight`, [camera]);
    shapes.set(`${block}.cam_self_attn.norm_k.weight`, [camera]);
    shapes.set(`${block}.norm3.weight`, [c.dim]);
    shapes.set(`${block}.norm3.bias`, [c.dim]);
    linear(`${block}.ffn.0`, c.ffnDim, c.dim);
    linear(`${block}.ffn.2`, c.dim, c.ffnDim);
  }
  shapes.set("head.modulation", [1, 2, c.dim]);
  linear("head.head", 4 * c.zDim, c.dim);
  return shapes;
}

/** Weights of the text encoder (`t5_encoder.safetensors`). */
export function textEncoderShapes(c: TextEncoderConfig): TensorShapes {
  const shapes = new Map<string, Shape>([["token_embedding.weight", [c.vocab, c.dim]]]);
  for (let i = 0; i < c.numLayers; i++) {
    const block = `blocks.${i}`;
    shapes.set(`${block}.norm1.weight`, [c.dim]);
    shapes.set(`${block}.norm2.weight`, [c.dim]);
    for (const projection of ["q", "k", "v"]) shapes.set(`${block}.attn.${projection}.weight`, [c.dimAttn, c.dim]);
    shapes.set(`${block}.attn.o.weight`, [c.dim, c.dimAttn]);
    shapes.set(`${block}.pos_embedding.embedding.weight`, [c.numBuckets, c.numHeads]);
    shapes.set(`${block}.ffn.gate.0.weight`, [c.dimFfn, c.dim]);
    shapes.set(`${block}.ffn.fc1.weight`, [c.dimFfn, c.dim]);
    shapes.set(`${block}.ffn.fc2.weight`, [c.dim, c.dimFfn]);
  }
  return shapes.set("norm.weight", [c.dim]);
}
