/**
 * Turns the picture that a walk starts from into its first latent frame.
 *
 * @module
 */
import type { RgbImage } from "../../../media/rgb_image.ts";
import { type Device, f32, Graph, type Program } from "../../../tensor/mod.ts";
import type { ArworldConfig } from "../config.ts";
import { normaliseLatents } from "../latent_norm.ts";
import type { Weights } from "../weights.ts";
import { FrameHistory } from "./frame_history.ts";
import { encodeFrames } from "./vae_encoder.ts";

/** The encoder of one model at one size. */
export class ImageEncoder {
  readonly #program: Program;
  readonly #size: number;

  private constructor(program: Program, size: number) {
    this.#program = program;
    this.#size = size;
  }

  /** Compiles the encoder for pictures of this size, multiples of 32. */
  static async compile(
    device: Device,
    config: ArworldConfig,
    weights: Weights,
    width: number,
    height: number,
  ): Promise<ImageEncoder> {
    const graph = new Graph();
    const video = graph.input("video", [1, 3, height, width]);
    const { mean } = encodeFrames(video, config.vae, weights, new FrameHistory(graph, "only"));
    graph.output("latents", normaliseLatents(mean, config.latentsMean, config.latentsStd));
    return new ImageEncoder(await device.compile(graph), width * height);
  }

  /** The normalised latent frame [z,h/16,w/16] of a picture of exactly this size. */
  async encode(image: RgbImage): Promise<Float32Array> {
    const planes = new Float32Array(3 * this.#size);
    for (let i = 0; i < this.#size; i++) {
      for (let c = 0; c < 3; c++) planes[c * this.#size + i] = image.data[3 * i + c] / 127.5 - 1;
    }
    const { latents } = await this.#program.run({ video: f32([1, 3, image.height, image.width], planes) });
    const read = await latents.read();
    latents.release();
    return read.data as Float32Array;
  }

  /** Releases the program. */
  dispose(): void {
    this.#program.dispose();
  }
}
