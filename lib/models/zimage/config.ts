/**
 * The configurations of a Z-Image pipeline, and the names and shapes of its weights in the published layout.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import { type Flux2VaeConfig, flux2VaeShapes } from "../flux2/config.ts";
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

/** Widths that no configuration names: of the embedded timestep at most, and inside of what embeds it. */
const MAX_TIME_SIZE = 256;
const TIME_INNER_SIZE = 1024;

/** Weights of the transformer. */
export function zimageTransformerShapes(c: ZImageTransformerConfig): TensorShapes {
  const { hiddenSize: width, textChannels } = c;
  const inner = Math.trunc(width / 3 * 8);
  const time = Math.min(width, MAX_TIME_SIZE);
  const patch = PATCH_SIZE ** 2 * c.latentChannels;
  const headDim = width / c.numHeads;
  const shapes = new Map<string, Shape>();
  const dense = (name: string, output: number, input: number) => {
    shapes.set(`${name}.weight`, [output, input]);
    shapes.set(`${name}.bias`, [output]);
  };
  const block = (name: string, modulated: boolean) => {
    if (modulated) dense(`${name}.adaLN_modulation.0`, 4 * width, time);
    for (const part of ["to_q", "to_k", "to_v", "to_out.0"]) {
      shapes.set(`${name}.attention.${part}.weight`, [width, width]);
    }
    for (const part of ["norm_q", "norm_k"]) shapes.set(`${name}.attention.${part}.weight`, [headDim]);
    for (const part of ["attention_norm1", "attention_norm2", "ffn_norm1", "ffn_norm2"]) {
      shapes.set(`${name}.${part}.weight`, [width]);
    }
    for (const part of ["w1", "w3"]) shapes.set(`${name}.feed_forward.${part}.weight`, [inner, width]);
    shapes.set(`${name}.feed_forward.w2.weight`, [width, inner]);
  };
  dense("t_embedder.mlp.0", TIME_INNER_SIZE, TIME_CHANNELS);
  dense("t_embedder.mlp.2", time, TIME_INNER_SIZE);
  const kind = `${PATCH_SIZE}-1`;
  dense(`all_x_embedder.${kind}`, width, patch);
  shapes.set("cap_embedder.0.weight", [textChannels]);
  dense("cap_embedder.1", width, textChannels);
  for (const name of ["x_pad_token", "cap_pad_token"]) shapes.set(name, [1, width]);
  for (let i = 0; i < c.numRefiners; i++) {
    block(`noise_refiner.${i}`, true);
    block(`context_refiner.${i}`, false);
  }
  for (let i = 0; i < c.numBlocks; i++) block(`layers.${i}`, true);
  dense(`all_final_layer.${kind}.adaLN_modulation.1`, width, time);
  dense(`all_final_layer.${kind}.linear`, patch, width);
  return shapes;
}

/** Weights of the autoencoder. */
export function zimageVaeShapes(config: ZImageVaeConfig): TensorShapes {
  return new Map([...flux2VaeShapes(config)].filter(([name]) => !/^(?:post_)?quant_conv\.|^bn\./.test(name)));
}
