/**
 * Turns the image that a walk starts from into its first latent frame.
 *
 * @module
 */
import { type Device, f32, Graph, type Program, type Shape } from "../../compute/tensor/mod.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { rgbPlanes } from "../images/planes.ts";
import { FrameHistory } from "./frame_history.ts";
import { normaliseLatents } from "./latents.ts";
import type { VideoVae } from "./vae_config.ts";
import { encodeFrames } from "./vae_encoder.ts";

/** The encoder of one model at one size. */
export class ImageEncoder {
  readonly #program: Program;
  readonly #shape: Shape;

  private constructor(program: Program, shape: Shape) {
    this.#program = program;
    this.#shape = shape;
  }

  /** Compiles the encoder for images of this size, multiples of 16. */
  static async compile(
    device: Device,
    config: VideoVae,
    weights: Weights,
    width: number,
    height: number,
  ): Promise<ImageEncoder> {
    return new ImageEncoder(await device.compile(encoderGraph(config, weights, width, height)), [1, 3, height, width]);
  }

  /** The normalised latent frame [z,h/16,w/16] of an image of exactly this size. */
  encode(image: RgbImage): Promise<Float32Array> {
    return this.encodePlanes(rgbPlanes(image));
  }

  /** The same of an image as planes [3,H,W] in [-1,1]. */
  async encodePlanes(planes: Float32Array): Promise<Float32Array> {
    const { latents } = await this.#program.run({ video: f32(this.#shape, planes) });
    const read = await latents.read();
    latents.release();
    return read.data as Float32Array;
  }

  /** Releases the program. */
  dispose(): void {
    this.#program.dispose();
  }
}

/** `video` [1,3,H,W] in [-1,1] to the normalised `latents` [1,z,H/16,W/16]. */
export function encoderGraph(config: VideoVae, weights: Weights, width: number, height: number): Graph {
  const graph = new Graph();
  const video = graph.input("video", [1, 3, height, width]);
  const { mean } = encodeFrames(video, config.vae, weights, new FrameHistory(graph, "only"));
  graph.output("latents", normaliseLatents(mean, config.latentsMean, config.latentsStd));
  return graph;
}
