/**
 * Turns latent frames into pictures, as one endless stream.
 *
 * @module
 */
import {
  add,
  clamp,
  type Device,
  type DeviceTensor,
  f32,
  Graph,
  graphCost,
  mul,
  nextTurn,
  type Precision,
  type Program,
  type Shape,
  sizeOf,
  type Tensor,
  toFloat32,
} from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { type DecoderHistory, releaseAll } from "../world/device_state.ts";
import { FrameHistory, type StreamPlace } from "./frame_history.ts";
import { denormaliseLatents } from "./latent_norm.ts";
import type { LatentSize } from "./latent_size.ts";
import { unpatchifyToImages } from "./pixel_patches.ts";
import { tinyDecoderGraph } from "./tiny_decoder.ts";
import type { VideoVae } from "./vae_config.ts";
import { decodeLatents } from "./vae_decoder.ts";

const FRAMES = "frames";

/** Programs whose values take more than this at once decode one latent a call: the values of three take nearly thrice. */
const MAX_ACTIVATIONS = 576 * 2 ** 20;

/** Pictures of the latents of one call. */
export interface DecodedFrames {
  /** RGB, 0 to 255 and not rounded, [count,H,W,3]. */
  readonly frames: Float32Array;
  /** How many. */
  readonly count: number;
  /** What the next call needs; belongs to the caller. */
  readonly history: DecoderHistory;
}

/** The decoder of one model at one size, for the same number of latents in every call. */
export class FrameDecoder {
  /** Shape of the latents of a call, [N,z,h,w]. */
  readonly shape: Shape;
  /** Shapes of what a stream remembers between two calls. */
  readonly historyShapes: ReadonlyMap<string, Shape>;
  readonly #group: number;
  readonly #compile: (place: StreamPlace) => Promise<Program>;
  readonly #single: boolean;
  readonly #programs = new Map<StreamPlace, Program>();

  private constructor(
    shape: Shape,
    group: number,
    historyShapes: ReadonlyMap<string, Shape>,
    compile: (place: StreamPlace) => Promise<Program>,
    single: boolean,
  ) {
    this.shape = shape;
    this.#group = group;
    this.historyShapes = historyShapes;
    this.#compile = compile;
    this.#single = single;
  }

  /**
   * Compiles the decoder for `count` latents of this size a call.
   *
   * @param perRun How many of them a program decodes; chosen by the memory that they take when omitted.
   * @param single Whether the program for the start of a stream and that for the rest take turns; by default where both
   * would have a large copy of the weights.
   */
  static async compile(
    device: Device,
    config: VideoVae,
    weights: Weights,
    size: LatentSize,
    count: number,
    perRun?: number,
    single: boolean = device.kind === "cpu" && hasOneDecoder(config, weights, size),
  ): Promise<FrameDecoder> {
    const shape = [count, config.vae.zDim, size.height, size.width];
    const group = perRun ?? latentsPerRun(config, weights, shape, device.precision);
    const part = [group, ...shape.slice(1)];
    const graph = (place: StreamPlace) => decoderGraph(config, weights, part, place);
    const remembered = [...graph("later").inputs].filter(([name]) => name !== "latents");
    const shapes = new Map(remembered.map(([name, { shape }]) => [name, shape]));
    const decoder = new FrameDecoder(shape, group, shapes, (place) => device.compile(graph(place)), single);
    await decoder.#program("first");
    if (!single) await decoder.#program("later");
    return decoder;
  }

  /**
   * Decodes latents [N,z,h,w]: 4N - 3 frames without a history, at the start of a stream, and 4N with one.
   *
   * @throws the signal's reason when it aborts before the last part has begun.
   */
  async decode(
    latents: Tensor | DeviceTensor,
    history: DecoderHistory | undefined,
    signal?: AbortSignal,
  ): Promise<DecodedFrames> {
    const [count, ...frame] = this.shape;
    if (this.#group === count) return await this.#run(latents, history, signal);
    const data = toFloat32("dtype" in latents ? latents : await latents.read());
    const length = sizeOf(frame) * this.#group;
    const parts: Float32Array[] = [];
    let last = history;
    for (let at = 0; at < data.length; at += length) {
      const part = f32([this.#group, ...frame], data.subarray(at, at + length));
      const next = await this.#run(part, last, signal).finally(() => {
        if (last !== history) releaseAll(last!.values());
      });
      parts.push(next.frames);
      last = next.history;
    }
    return { ...joinFrames(parts, sizeOf([...frame.slice(1), 16 * 16 * 3])), history: last! };
  }

  async #run(
    latents: Tensor | DeviceTensor,
    history: DecoderHistory | undefined,
    signal: AbortSignal | undefined,
  ): Promise<DecodedFrames> {
    const program = await this.#program(history ? "later" : "first");
    const { [FRAMES]: frames, ...rest } = await program.run(
      { latents, ...Object.fromEntries(history ?? []) },
      { signal },
    );
    const read = await frames.read();
    frames.release();
    return { frames: read.data as Float32Array, count: frames.shape[0], history: new Map(Object.entries(rest)) };
  }

  async #program(place: StreamPlace): Promise<Program> {
    const known = this.#programs.get(place);
    if (known) return known;
    if (this.#single) {
      this.dispose();
      await nextTurn(); // in which the program that has the weights goes, before another one reads them
    }
    const program = await this.#compile(place);
    this.#programs.set(place, program);
    return program;
  }

  /** Releases the programs. */
  dispose(): void {
    for (const program of this.#programs.values()) program.dispose();
    this.#programs.clear();
  }
}

/** Decoders whose weights take more than this have one program at a time on the CPU, where each has its own copy. */
const SINGLE_FROM = 2 ** 30;

/** Whether the two programs of a decoder take turns on the CPU. */
export function hasOneDecoder(config: VideoVae, weights: Weights, size: LatentSize): boolean {
  const latent = [1, config.vae.zDim, size.height, size.width];
  return graphCost(decoderGraph(config, weights, latent, "later")).weightBytes > SINGLE_FROM;
}

/** How many of the latents [N,z,h,w] of a call a program decodes at once: all, or one where they take much memory. */
export function latentsPerRun(config: VideoVae, weights: Weights, shape: Shape, precision: Precision): number {
  const { activationBytes } = graphCost(decoderGraph(config, weights, shape, "later"), precision === "f16" ? 2 : 4);
  return activationBytes <= MAX_ACTIVATIONS ? shape[0] : 1;
}

function joinFrames(parts: readonly Float32Array[], length: number): Pick<DecodedFrames, "frames" | "count"> {
  const frames = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) frames.set(part, (at += part.length) - part.length);
  return { frames, count: frames.length / length };
}

/**
 * Where the weights have this part, it decodes in place of the autoencoder's own decoder; see `tiny_decoder.ts`.
 */
export const TINY = "tiny";

/** Latents [N,z,h,w] and what a stream remembers to `frames` [count,H,W,3], 0 to 255, and what it remembers next. */
export function decoderGraph(config: VideoVae, weights: Weights, shape: Shape, place: StreamPlace): Graph {
  if (weights.has(`${TINY}.decoder.1.weight`)) return tinyDecoderGraph(weights.at(TINY), shape, place);
  const graph = new Graph();
  const latents = graph.input("latents", shape);
  const z = denormaliseLatents(latents, config.latentsMean, config.latentsStd);
  const { patches } = decodeLatents(z, config.vae, weights, new FrameHistory(graph, place));
  graph.output(FRAMES, unpatchifyToImages(clamp(add(mul(patches, 127.5), 127.5), 0, 255)));
  return graph;
}
