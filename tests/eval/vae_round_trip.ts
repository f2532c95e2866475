/**
 * Puts clips through the autoencoder of a world and nothing else: what its pictures could look like at best.
 *
 * @module
 */
import { joinFrames, type RgbFrames } from "../../lib/media/images/rgb_image.ts";
import type { Weights } from "../../lib/models/checkpoint/weights.ts";
import { FrameDecoder } from "../../lib/models/video_vae/frame_decoder.ts";
import { FrameHistory } from "../../lib/models/video_vae/frame_history.ts";
import { normaliseLatents } from "../../lib/models/video_vae/latents.ts";
import { latentSizeOf, type VideoVae } from "../../lib/models/video_vae/vae_config.ts";
import { encodeFrames } from "../../lib/models/video_vae/vae_encoder.ts";
import { type Device, f32, Graph, type Program, type Tensor } from "../../lib/compute/tensor/mod.ts";
import { planesOf, type Size } from "./films.ts";

/** An autoencoder on a device. */
export class VaeRoundTrip {
  readonly #device: Device;
  readonly #config: VideoVae;
  readonly #weights: Weights;
  readonly #decoder: FrameDecoder;
  readonly #encoders = new Map<number, Program>();

  private constructor(device: Device, config: VideoVae, weights: Weights, decoder: FrameDecoder) {
    this.#device = device;
    this.#config = config;
    this.#weights = weights;
    this.#decoder = decoder;
  }

  /** Compiles for frames of a size, decoded `latents` at a time. */
  static async open(
    device: Device,
    config: VideoVae,
    weights: Weights,
    size: Size,
    latents: number,
  ): Promise<VaeRoundTrip> {
    const latent = latentSizeOf(config.vae, size);
    const decoder = await FrameDecoder.compile(device, config, weights, latent, latents);
    return new VaeRoundTrip(device, config, weights, decoder);
  }

  /** The clip after encoding and decoding; it must have whole calls of latents. */
  async reconstruct(clip: RgbFrames): Promise<RgbFrames> {
    const latents = await this.#encode(clip);
    const { width, height } = clip;
    const [perCall, ...latent] = this.#decoder.shape;
    const call = latents.data.length * perCall / latents.shape[0];
    const parts: RgbFrames[] = [];
    let history;
    for (let at = 0; at < latents.data.length; at += call) {
      const part = latents.data.slice(at, at + call) as Float32Array;
      const uploaded = this.#device.upload(f32([perCall, ...latent], part));
      const decoded = await this.#decoder.decode(uploaded, history);
      uploaded.release();
      history = decoded.history;
      const data = new Uint8Array(new Uint8ClampedArray(decoded.frames).buffer);
      parts.push({ width, height, count: decoded.count, data });
    }
    history?.forEach((t) => t.release());
    return joinFrames(parts);
  }

  /** Releases the programs, not the device. */
  dispose(): void {
    for (const program of this.#encoders.values()) program.dispose();
    this.#decoder.dispose();
  }

  /** Normalised latents [N,z,h,w] of a clip. */
  async #encode(clip: RgbFrames): Promise<Tensor> {
    const { width, height, count } = clip;
    let program = this.#encoders.get(count);
    if (!program) {
      const graph = new Graph();
      const { vae, latentsMean, latentsStd } = this.#config;
      const video = graph.input("video", [count, 3, height, width]);
      const { mean } = encodeFrames(video, vae, this.#weights, new FrameHistory(graph, "only"));
      graph.output("latents", normaliseLatents(mean, latentsMean, latentsStd));
      program = await this.#device.compile(graph);
      this.#encoders.set(count, program);
    }
    const { latents } = await program.run({ video: f32([count, 3, height, width], planesOf(clip)) });
    const read = await latents.read();
    latents.release();
    return read;
  }
}
