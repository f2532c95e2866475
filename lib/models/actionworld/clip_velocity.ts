/**
 * The transformer's prediction for one clip: everything constant over the steps is on the device.
 *
 * @module
 */
import {
  type Device,
  type DeviceTensor,
  f32,
  type Program,
  type RunOptions,
  type Shape,
  sizeOf,
  type Tensor,
} from "../../compute/tensor/mod.ts";
import { timeSinusoid } from "../layers/dense.ts";
import { cacheFeeds, releaseAll, retainAll } from "../world/device_state.ts";
import { type ActionTransformerConfig, CAMERA_POSE_NUMBERS, TIME_CHANNELS } from "./config.ts";
import { clipPositions, rotaryTables } from "./positions.ts";
import type { TextStream } from "./text_streams.ts";
import { patchesOf } from "./transformer/clip_tokens.ts";
import { actionCount, type ClipSize, UNSEEN } from "./transformer/transformer_graphs.ts";

/** The first frame and the actions of a clip. */
export interface ClipConditions {
  /** The known first latent frame [C,h,w], normalized. */
  readonly clean: Float32Array;
  /** [A,9] */
  readonly actions: Float32Array;
  /** Frames of pixels per second. */
  readonly fps: number;
}

/** Predicts velocities of one clip conditioned on one text. */
export class ClipVelocity {
  readonly #program: Program;
  readonly #config: ActionTransformerConfig;
  readonly #shape: Shape;
  readonly #own: Readonly<Record<string, DeviceTensor>>;
  readonly #text: Readonly<Record<string, DeviceTensor>>;
  readonly #padded: Readonly<Record<string, Tensor>>;

  private constructor(
    device: Device,
    program: Program,
    config: ActionTransformerConfig,
    size: ClipSize,
    text: TextStream,
    padded: Readonly<Record<string, Tensor>> | undefined,
    { clean, actions, fps }: ClipConditions,
  ) {
    const { frames, height, width } = size;
    const grid = { rows: patchesOf(height, config.patchSize), columns: patchesOf(width, config.patchSize) };
    const layout = { text: text.length, frames, ...grid, actions: actionCount(size, config), fps };
    const { cos, sin } = rotaryTables(clipPositions(layout, config), config);
    const pairs = config.headDim / 2;
    const count = cos.length / pairs;
    this.#program = program;
    this.#config = config;
    this.#shape = [frames - 1, config.latentChannels, height, width];
    this.#text = padded ? {} : cacheFeeds("text", text.layers);
    this.#padded = padded ?? {};
    retainAll(Object.values(this.#text));
    this.#own = {
      clean: device.upload(f32([1, config.latentChannels, height, width], clean)),
      actions: device.upload(f32([layout.actions, CAMERA_POSE_NUMBERS], actions)),
      cos: device.upload(f32([count, pairs], cos)),
      sin: device.upload(f32([count, pairs], sin)),
    };
  }

  /**
   * Uploads the conditions and becomes an owner of the text; `program` is a `velocityGraph` of the size, for as many
   * text tokens as there are, or for more of which some may be empty.
   */
  static async bind(
    device: Device,
    program: Program,
    config: ActionTransformerConfig,
    size: ClipSize,
    text: TextStream,
    conditions: ClipConditions,
  ): Promise<ClipVelocity> {
    const padded = await paddedText(program, text);
    return new ClipVelocity(device, program, config, size, text, padded, conditions);
  }

  /** noise - clean of the unknown frames `noisy` [F-1,C,h,w] at a whole timestep, in the same order. */
  async predict(noisy: Float32Array, timestep: number, options: RunOptions = {}): Promise<Float32Array> {
    const { velocity } = await this.#program.run({
      ...this.#own,
      ...this.#text,
      ...this.#padded,
      noisy: f32(this.#shape, noisy),
      sinusoid: f32([1, TIME_CHANNELS], timeSinusoid([timestep * this.#config.timestepScale], TIME_CHANNELS)),
    }, options);
    const read = await velocity.read();
    velocity.release();
    return read.data as Float32Array;
  }

  /** Releases the conditions and the text. */
  release(): void {
    releaseAll([...Object.values(this.#own), ...Object.values(this.#text)]);
  }
}

/**
 * What a `velocityGraph` whose last slots may be empty is fed of a text: keys and values with zeros after them, and what
 * hides these.
 *
 * @returns undefined for a program without empty slots.
 */
async function paddedText(
  program: Program,
  { layers, length }: TextStream,
): Promise<Record<string, Tensor> | undefined> {
  const bias = program.inputs.get("textBias");
  if (!bias) return undefined;
  const feeds: Record<string, Tensor> = {};
  for (const [name, kept] of Object.entries(cacheFeeds("text", layers))) {
    const { shape } = program.inputs.get(name)!;
    const rows = new Float32Array(sizeOf(shape));
    rows.set((await kept.read()).data as Float32Array);
    feeds[name] = f32(shape, rows);
  }
  const [slots] = program.inputs.get("text.k.0")!.shape;
  feeds.textBias = f32(bias.shape, new Float32Array(sizeOf(bias.shape)).fill(UNSEEN, length, slots));
  return feeds;
}
