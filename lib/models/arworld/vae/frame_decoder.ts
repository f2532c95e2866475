/**
 * Turns blocks of latent frames into pictures, as one endless stream.
 *
 * @module
 */
import { add, clamp, type Device, type DeviceTensor, Graph, mul, type Program } from "../../../tensor/mod.ts";
import type { ArworldConfig } from "../config.ts";
import type { DecoderHistory } from "../device_state.ts";
import { denormaliseLatents } from "../latent_norm.ts";
import { LATENTS_PER_BLOCK } from "../trajectory.ts";
import type { LatentSize } from "../transformer/transformer_graphs.ts";
import type { Weights } from "../weights.ts";
import { FrameHistory, type StreamPlace } from "./frame_history.ts";
import { unpatchifyToImages } from "./pixel_patches.ts";
import { decodeLatents } from "./vae_decoder.ts";

const FRAMES = "frames";

/** Pictures of one block. */
export interface DecodedBlock {
  /** RGB, 0 to 255 and not rounded, [count,H,W,3]. */
  readonly frames: Float32Array;
  readonly count: number;
  /** What the next block needs; belongs to the caller. */
  readonly history: DecoderHistory;
}

/** The decoder of one model at one size. */
export class FrameDecoder {
  readonly #first: Program;
  readonly #later: Program;

  private constructor(first: Program, later: Program) {
    this.#first = first;
    this.#later = later;
  }

  /** Compiles the decoder for latents of this size. */
  static async compile(
    device: Device,
    config: ArworldConfig,
    weights: Weights,
    size: LatentSize,
  ): Promise<FrameDecoder> {
    const compile = (place: StreamPlace) => device.compile(decoderGraph(config, weights, size, place));
    return new FrameDecoder(await compile("first"), await compile("later"));
  }

  /** Decodes latents [3,z,h,w]: 9 frames without a history, at the start of a stream, and 12 with one. */
  async decode(latents: DeviceTensor, history: DecoderHistory | undefined): Promise<DecodedBlock> {
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

function decoderGraph(config: ArworldConfig, weights: Weights, size: LatentSize, place: StreamPlace): Graph {
  const graph = new Graph();
  const latents = graph.input("latents", [LATENTS_PER_BLOCK, config.vae.zDim, size.height, size.width]);
  const z = denormaliseLatents(latents, config.latentsMean, config.latentsStd);
  const { patches } = decodeLatents(z, config.vae, weights, new FrameHistory(graph, place));
  graph.output(FRAMES, unpatchifyToImages(clamp(add(mul(patches, 127.5), 127.5), 0, 255)));
  return graph;
}
