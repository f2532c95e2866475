/**
 * The FLUX.2 transformer: rectified flow over text, image and references, and its prediction for one image.
 *
 * @module
 */
import type { Weights } from "../checkpoint/weights.ts";
import { packTokens, rotaryTables, sequencePositions, unpackTokens } from "./tokens.ts";
import {
  doubleBlock,
  embedTime,
  modulatedNorm,
  modulations,
  type RotaryValues,
  singleBlock,
  type Streams,
} from "./transformer_blocks.ts";
import type { Denoised, TransformerSize, VelocityModel } from "../image_pipeline/image_family.ts";
import {
  concat,
  type Device,
  type DeviceTensor,
  f32,
  Graph,
  type Program,
  silu,
  slice,
  split,
  type Value,
} from "../../compute/tensor/mod.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import { dense, timeSinusoid } from "../layers/dense.ts";
import type { Flux2TransformerConfig } from "./config.ts";

/** What the transformer computes on its way. */
interface TransformerValues {
  /** [1,D] */
  readonly time: Value;
  /** Both streams before the first block. */
  readonly embedded: Streams;
  /** Both streams after each double block. */
  readonly doubles: readonly Streams[];
  /** The stream text, image after each single block. */
  readonly singles: readonly Value[];
  /** The modulated norm of the image tokens, [N,D]. */
  readonly normed: Value;
  /** Velocity of all image tokens, references included, [N,C]. */
  readonly output: Value;
}

/** Image tokens [N,C] (references after the image) and text tokens [M,3Q] at a timestep with `sinusoid` [1,F]. */
export function transformer(
  { image, text }: Streams,
  sinusoid: Value,
  tables: RotaryValues,
  config: Flux2TransformerConfig,
  weights: Weights,
): TransformerValues {
  const time = embedTime(sinusoid, weights);
  const modulation = {
    text: modulations(time, weights.at("double_stream_modulation_txt"), 2),
    image: modulations(time, weights.at("double_stream_modulation_img"), 2),
  };
  const [single] = modulations(time, weights.at("single_stream_modulation"), 1);

  const embedded = { text: dense(text, weights.at("context_embedder")), image: dense(image, weights.at("x_embedder")) };
  const doubles: Streams[] = [];
  let streams: Streams = embedded;
  for (let i = 0; i < config.numDoubleBlocks; i++) {
    const block = doubleBlock(streams, modulation, tables, config, weights.at(`transformer_blocks.${i}`));
    streams = { text: block.text.output, image: block.image.output };
    doubles.push(streams);
  }
  const singles: Value[] = [];
  let x = concat([streams.text, streams.image], 0);
  for (let i = 0; i < config.numSingleBlocks; i++) {
    x = singleBlock(x, single, tables, config, weights.at(`single_transformer_blocks.${i}`)).output;
    singles.push(x);
  }
  const [scale, shift] = split(
    dense(silu(time), weights.at("norm_out.linear")),
    [config.hiddenSize, config.hiddenSize],
    1,
  );
  const normed = modulatedNorm(slice(x, { axis: 0, start: text.shape[0] }), scale, shift, config.normEps);
  return { time, embedded, doubles, singles, normed, output: dense(normed, weights.at("proj_out")) };
}

/**
 * The velocity of an image. Inputs: `latents` [C,h,w], `reference.<i>` [C,h,w], `text` [M,3Q], `sinusoid` [1,F] of the
 * timestep, `cos` and `sin` [M + tokens, headDim / 2]. Output: `velocity` [C,h,w].
 */
export function transformerGraph(config: Flux2TransformerConfig, weights: Weights, size: TransformerSize): Graph {
  const graph = new Graph();
  const { image, references, textLength } = size;
  const channels = config.latentChannels;
  const latents = (name: string, { height, width }: LatentSize) =>
    packTokens(graph.input(name, [channels, height, width]));
  const tokens = concat(
    [latents("latents", image), ...references.map((reference, i) => latents(`reference.${i}`, reference))],
    0,
  );
  const text = graph.input("text", [textLength, config.textChannels]);
  const sinusoid = graph.input("sinusoid", [1, config.timeChannels]);
  const table = [textLength + tokens.shape[0], config.headDim / 2];
  const tables = { cos: graph.input("cos", table), sin: graph.input("sin", table) };
  const { output } = transformer({ image: tokens, text }, sinusoid, tables, config, weights);
  const velocity = slice(output, { axis: 0, end: image.width * image.height });
  graph.output("velocity", unpackTokens(velocity, image.height, image.width));
  return graph;
}

/** Predicts velocities of one image of a size between its references. */
export class Velocity implements VelocityModel {
  readonly #program: Program;
  readonly #config: Flux2TransformerConfig;
  readonly #shape: readonly number[];
  readonly #own: Readonly<Record<string, DeviceTensor>>;

  /**
   * Uploads the constant inputs.
   *
   * @param program A `transformerGraph` of these sizes.
   */
  constructor(
    device: Device,
    program: Program,
    config: Flux2TransformerConfig,
    { image, references, textLength }: Denoised,
  ) {
    const sizes = references.map(({ shape: [, height, width] }) => ({ width, height }));
    const positions = sequencePositions(textLength, image, sizes);
    const { cos, sin } = rotaryTables(positions, config.ropeAxes, config.ropeTheta);
    this.#program = program;
    this.#config = config;
    this.#shape = [config.latentChannels, image.height, image.width];
    this.#own = {
      cos: device.upload(cos),
      sin: device.upload(sin),
      ...Object.fromEntries(references.map((t, i) => [`reference.${i}`, device.upload(t)])),
    };
  }

  /** noise - image of latents [C,h,w] at a noise level, after the text tokens [M,D]. */
  async predict(latents: Float32Array, level: number, text: DeviceTensor, signal?: AbortSignal): Promise<Float32Array> {
    const { timeChannels } = this.#config;
    const { velocity } = await this.#program.run({
      ...this.#own,
      text,
      latents: f32(this.#shape, latents),
      sinusoid: f32([1, timeChannels], timeSinusoid([1000 * level], timeChannels)),
    }, { signal });
    const read = await velocity.read();
    velocity.release();
    return read.data as Float32Array;
  }

  /** Releases the uploads. */
  release(): void {
    for (const t of Object.values(this.#own)) t.release();
  }
}
