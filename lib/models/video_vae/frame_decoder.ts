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
  Graph,
  mul,
  type Program,
  type Shape,
  type Tensor,
} from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { DecoderHistory } from "../world/device_state.ts";
import { FrameHistory, type StreamPlace } from "./frame_history.ts";
import { denormaliseLatents } from "./latent_norm.ts";
import type { LatentSize } from "./latent_size.ts";
import { unpatchifyToImages } from "./pixel_patches.ts";
import type { VideoVae } from "./vae_config.ts";
import { decodeLatents } from "./vae_decoder.ts";

const FRAMES = "frames";

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
  readonly #first: Program;
  readonly #later: Program;

  private constructor(shape: Shape, first: Program, later: Program) {
    this.shape = shape;
    this.#first = first;
    this.#later = later;
  }

  /** Compiles the decoder for `count` latents of this size a call. */
  static async compile(
    device: Device,
    config: VideoVae,
    weights: Weights,
    size: LatentSize,
    count: number,
  ): Promise<FrameDecoder> {
    const shape = [count, config.vae.zDim, size.height, size.width];
    const compile = (place: StreamPlace) => device.compile(decoderGraph(config, weights, shape, place));
    return new FrameDecoder(shape, await compile("first"), await compile("later"));
  }

  /** Decodes latents [N,z,h,w]: 4N - 3 frames without a history, at the start of a stream, and 4N with one. */
  async decode(latents: Tensor | DeviceTensor, history: DecoderHistory | undefined): Promise<DecodedFrames> {
    const program = history ? this.#later : this.#first;
    const { [FRAMES]: frames, ...rest } = await program.run({ latents, ...Object.fromEntries(history ?? []) });
    const read = await frames.read();
    frames.release();
    return { frames: read.data as Float32Array, count: frames.shape[0], history: new Map(Object.entries(rest)) };
  }

  /** Releases the programs. */
  dispose(): void {
    this.#first.dispose();
    this.#later.dispose();
  }
}

/** Latents [N,z,h,w] and what a stream remembers to `frames` [count,H,W,3], 0 to 255, and what it remembers next. */
export function decoderGraph(config: VideoVae, weights: Weights, shape: Shape, place: StreamPlace): Graph {
  const graph = new Graph();
  const latents = graph.input("latents", shape);
  const z = denormaliseLatents(latents, config.latentsMean, config.latentsStd);
  const { patches } = decodeLatents(z, config.vae, weights, new FrameHistory(graph, place));
  graph.output(FRAMES, unpatchifyToImages(clamp(add(mul(patches, 127.5), 127.5), 0, 255)));
  return graph;
}
