/**
 * The short configurations of golden files in the words of the code.
 *
 * @module
 */
import type { TextEncoderConfig, TransformerConfig } from "../../lib/models/arworld/config.ts";
import type { ActionTransformerConfig, PositionConfig } from "../../lib/models/actionworld/config.ts";
import type { VaeConfig } from "../../lib/models/video_vae/vae_config.ts";
import { asNumber } from "./golden.ts";

type Json = Record<string, unknown>;

export function transformerConfig(c: Json): TransformerConfig {
  const number = (key: string) => asNumber(key, c[key]);
  return {
    dim: number("dim"),
    ffnDim: number("ffn"),
    numHeads: number("heads"),
    numLayers: number("layers"),
    zDim: number("z"),
    freqDim: number("freq_dim"),
    textDim: number("text_dim"),
    textLen: number("text_len"),
    attnCompress: number("attn_compress"),
    windowFrames: 12,
  };
}

export function textEncoderConfig(c: Json): TextEncoderConfig {
  const number = (key: string) => asNumber(key, c[key]);
  return {
    vocab: number("vocab"),
    dim: number("dim"),
    dimAttn: number("dim_attn"),
    dimFfn: number("dim_ffn"),
    numHeads: number("heads"),
    numLayers: number("layers"),
    numBuckets: number("buckets"),
  };
}

export function vaeConfig(c: Json): VaeConfig {
  const number = (key: string) => asNumber(key, c[key]);
  return {
    zDim: number("z"),
    dim: number("dim"),
    decDim: number("dec_dim"),
    dimMult: c.dim_mult as number[],
    numResBlocks: number("num_res_blocks"),
    temporalDownsample: (c.temperal_downsample ?? [false, true, true]) as boolean[],
  };
}

/** The numbers that the files leave out are those of every released model of this kind. */
export function actionTransformerConfig(c: Json): ActionTransformerConfig {
  const number = (key: string) => asNumber(key, c[key]);
  return {
    hiddenSize: number("hidden"),
    intermediateSize: number("inter"),
    numLayers: number("layers"),
    numHeads: number("heads"),
    numKeyHeads: number("kv"),
    vocab: number("vocab"),
    latentChannels: number("C"),
    actionDim: number("action_dim"),
    domains: number("domains"),
    ...positionConfig(c),
    normEps: 1e-5,
    patchSize: ACTION_PATCH_SIZE,
    timestepScale: 0.001,
  };
}

/** What positions and rotary tables depend on. */
export function positionConfig(c: Json): PositionConfig {
  return {
    headDim: asNumber("hd", c.hd),
    ropeAxes: c.axes as [number, number, number],
    ropeTheta: 1e8,
    baseFps: 24,
    framesPerLatent: 4,
    modalityMargin: 15000,
  };
}

/** Rows and columns of latent pixels that make one token. */
export const ACTION_PATCH_SIZE = 2;
