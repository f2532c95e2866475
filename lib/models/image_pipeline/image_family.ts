/**
 * What families of image models do in their own ways.
 *
 * @module
 */
import type { Device, DeviceTensor, Graph, Program, Tensor } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { Qwen3Config } from "../qwen3/config.ts";
import type { LatentSize } from "../video_vae/latents.ts";

/** Rows and columns of pixels that one token stands for, in every family. */
export const PIXELS_PER_TOKEN = 16;

/** Sizes that a program of the transformer is compiled for, in tokens. */
export interface TransformerSize {
  /** The output image. */
  readonly image: LatentSize;
  /** Reference images. */
  readonly references: readonly LatentSize[];
  /** Rows of the text. */
  readonly textLength: number;
}

/** What an image is made from. */
export interface Denoised {
  /** In tokens. */
  readonly image: LatentSize;
  /** Latents of the references, normalised. */
  readonly references: readonly Tensor[];
  /** Rows of the text. */
  readonly textLength: number;
}

/** Predicts velocities of one image; everything that stays the same from step to step is on the device. */
export interface VelocityModel {
  /** noise - image of latents at a noise level, after the text. */
  predict(latents: Float32Array, level: number, text: DeviceTensor, signal?: AbortSignal): Promise<Float32Array>;
  /** Releases the uploads. */
  release(): void;
}

/** A family with the sizes of one model. */
export interface ImageFamily {
  /** The text encoder. */
  readonly textEncoder: Qwen3Config;
  /** Numbers of the hidden states that make a text token. */
  readonly textStates: readonly number[];
  /** Tokens of a prompt at most, and of what the text encoder reads. */
  readonly textLength: number;
  /** Whether prompts are asked as questions to be thought about. */
  readonly thinking: boolean;
  /** Whether the model was distilled: it has no second pass for guidance. */
  readonly distilled: boolean;
  /** Whether it looks at other images; without, an image can only be what it begins with. */
  readonly takesReferences: boolean;
  /** Denoising steps where nothing else is asked for. */
  readonly defaultSteps: number;
  /** Guidance where nothing else is asked for. */
  readonly defaultGuidance: number;
  /** Width and height where nothing else is asked for. */
  readonly defaultSize: readonly [width: number, height: number];
  /** The one height and the largest width that a small model was trained for. */
  readonly native?: { readonly width: number; readonly height: number };
  /** Shape of the latents [C,h,w] of an image. */
  latentShape(image: LatentSize): readonly [number, number, number];
  /** Noise levels from 1 to 0, one more than steps. */
  noiseLevels(tokens: number, steps: number): Float32Array;
  /** The transformer's text from what was encoded, [textLength, channels], of which `real` rows are the prompt's. */
  text(encoded: Tensor<"f32">, real: number): Tensor<"f32">;
  /** Input: `image` [3,16h,16w] in -1 to 1. Output: `latents`. */
  encoderGraph(weights: Weights, image: LatentSize): Graph;
  /** Output: `velocity` or what the family's {@linkcode VelocityModel} makes one of. */
  transformerGraph(weights: Weights, size: TransformerSize): Graph;
  /** Input: `latents`. Output: `pixels` [16h,16w,3], 0 to 255 and not rounded. */
  decoderGraph(weights: Weights, image: LatentSize): Graph;
  /** @param program A {@linkcode ImageFamily.transformerGraph} of these sizes. */
  openVelocity(device: Device, program: Program, denoised: Denoised): VelocityModel;
}
