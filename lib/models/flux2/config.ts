/**
 * The configurations of a FLUX.2 pipeline, and the names and shapes of its weights in the published layout.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
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

/** Weights of the transformer; it has no biases. */
export function flux2TransformerShapes(c: Flux2TransformerConfig): TensorShapes {
  const { hiddenSize: width, feedForwardSize: inner } = c;
  const shapes = new Map<string, Shape>();
  const layers = (prefix: string, layers: Readonly<Record<string, Shape>>) => {
    for (const [name, shape] of Object.entries(layers)) shapes.set(`${prefix}${name}.weight`, shape);
  };
  layers("", {
    "time_guidance_embed.timestep_embedder.linear_1": [width, c.timeChannels],
    "time_guidance_embed.timestep_embedder.linear_2": [width, width],
    "double_stream_modulation_img.linear": [6 * width, width],
    "double_stream_modulation_txt.linear": [6 * width, width],
    "single_stream_modulation.linear": [3 * width, width],
    "x_embedder": [width, c.latentChannels],
    "context_embedder": [width, c.textChannels],
    "norm_out.linear": [2 * width, width],
    "proj_out": [c.latentChannels, width],
  });
  const square = [width, width];
  const head = [c.headDim];
  for (let i = 0; i < c.numDoubleBlocks; i++) {
    const names = ["to_q", "to_k", "to_v", "to_out.0", "add_q_proj", "add_k_proj", "add_v_proj", "to_add_out"];
    const norms = ["norm_q", "norm_k", "norm_added_q", "norm_added_k"];
    layers(`transformer_blocks.${i}.`, {
      ...Object.fromEntries(names.map((name) => [`attn.${name}`, square])),
      ...Object.fromEntries(norms.map((name) => [`attn.${name}`, head])),
      "ff.linear_in": [2 * inner, width],
      "ff.linear_out": [width, inner],
      "ff_context.linear_in": [2 * inner, width],
      "ff_context.linear_out": [width, inner],
    });
  }
  for (let i = 0; i < c.numSingleBlocks; i++) {
    layers(`single_transformer_blocks.${i}.attn.`, {
      to_qkv_mlp_proj: [3 * width + 2 * inner, width],
      norm_q: head,
      norm_k: head,
      to_out: [width, width + inner],
    });
  }
  return shapes;
}

/** Weights of the autoencoder and the statistics of its latents. */
export function flux2VaeShapes(c: Flux2VaeConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const layer = (name: string, ...shape: readonly number[]) => {
    shapes.set(`${name}.weight`, shape);
    shapes.set(`${name}.bias`, shape.slice(0, 1));
  };
  const resBlock = (name: string, input: number, output: number) => {
    layer(`${name}.norm1`, input);
    layer(`${name}.conv1`, output, input, 3, 3);
    layer(`${name}.norm2`, output);
    layer(`${name}.conv2`, output, output, 3, 3);
    if (input !== output) layer(`${name}.conv_shortcut`, output, input, 1, 1);
  };
  const middle = (name: string, width: number) => {
    resBlock(`${name}.resnets.0`, width, width);
    layer(`${name}.attentions.0.group_norm`, width);
    for (const part of ["to_q", "to_k", "to_v", "to_out.0"]) layer(`${name}.attentions.0.${part}`, width, width);
    resBlock(`${name}.resnets.1`, width, width);
  };
  const last = c.encoderChannels.length - 1;
  const moments = 2 * c.latentChannels;

  layer("encoder.conv_in", c.encoderChannels[0], 3, 3, 3);
  c.encoderChannels.forEach((output, i) => {
    const name = `encoder.down_blocks.${i}`;
    const input = c.encoderChannels[i - 1] ?? output;
    for (let j = 0; j < c.layersPerBlock; j++) resBlock(`${name}.resnets.${j}`, j === 0 ? input : output, output);
    if (i < last) layer(`${name}.downsamplers.0.conv`, output, output, 3, 3);
  });
  middle("encoder.mid_block", c.encoderChannels[last]);
  layer("encoder.conv_norm_out", c.encoderChannels[last]);
  layer("encoder.conv_out", moments, c.encoderChannels[last], 3, 3);
  layer("quant_conv", moments, moments, 1, 1);

  const stages = c.decoderChannels.toReversed();
  layer("post_quant_conv", c.latentChannels, c.latentChannels, 1, 1);
  layer("decoder.conv_in", stages[0], c.latentChannels, 3, 3);
  middle("decoder.mid_block", stages[0]);
  stages.forEach((output, i) => {
    const name = `decoder.up_blocks.${i}`;
    const input = stages[i - 1] ?? output;
    for (let j = 0; j <= c.layersPerBlock; j++) resBlock(`${name}.resnets.${j}`, j === 0 ? input : output, output);
    if (i < last) layer(`${name}.upsamplers.0.conv`, output, output, 3, 3);
  });
  layer("decoder.conv_norm_out", stages[last]);
  layer("decoder.conv_out", 3, stages[last], 3, 3);

  shapes.set("bn.running_mean", [4 * c.latentChannels]);
  shapes.set("bn.running_var", [4 * c.latentChannels]);
  return shapes;
}
