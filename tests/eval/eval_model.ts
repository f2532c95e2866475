/**
 * The world model under evaluation: generates walks, and puts clips through its autoencoder alone.
 *
 * @module
 */
import type { RgbFrames, RgbImage } from "../../lib/media/rgb_image.ts";
import { ArworldModel } from "../../lib/models/arworld/arworld_model.ts";
import { normaliseLatents } from "../../lib/models/video_vae/latent_norm.ts";
import { type ArworldFiles, loadArworld } from "../../lib/models/arworld/loader.ts";
import type { ModelRoot } from "../../lib/models/checkpoint/model_root.ts";
import { LATENTS_PER_BLOCK } from "../../lib/models/arworld/trajectory.ts";
import { FrameDecoder } from "../../lib/models/video_vae/frame_decoder.ts";
import { FrameHistory } from "../../lib/models/video_vae/frame_history.ts";
import { encodeFrames } from "../../lib/models/video_vae/vae_encoder.ts";
import { type Device, f32, Graph, type Program, type Tensor } from "../../lib/tensor/mod.ts";
import { blockViews, type Size } from "./eval_scenes.ts";

/** A loaded world. */
export class EvalModel {
  readonly size: Size;
  readonly device: Device;
  readonly #model: ArworldModel;
  readonly #files: ArworldFiles;
  readonly #decoder: FrameDecoder;
  readonly #encoders = new Map<number, Program>();

  private constructor(size: Size, device: Device, model: ArworldModel, files: ArworldFiles, decoder: FrameDecoder) {
    this.size = size;
    this.device = device;
    this.#model = model;
    this.#files = files;
    this.#decoder = decoder;
  }

  /** Loads a world; frames have the size its configuration names. */
  static async open(base: ModelRoot, causal: ModelRoot, openDevice: () => Promise<Device>): Promise<EvalModel> {
    const files = await loadArworld(base, causal);
    const { defaultWidth: width = 96, defaultHeight: height = 64 } = files.config;
    const device = await openDevice();
    const latent = { width: width / 16, height: height / 16 };
    const decoder = await FrameDecoder.compile(device, files.config, files.vae, latent, 3);
    const model = new ArworldModel({ id: base.name, base, causal, openDevice });
    await model.prepare();
    return new EvalModel({ width, height }, device, model, files, decoder);
  }

  /** The walk that the model imagines from a first frame, one action a block. */
  async walk(first: RgbImage, prompt: string, blocks: readonly string[], seed: bigint): Promise<RgbFrames> {
    await this.#model.begin(first, this.size);
    const parts: RgbFrames[] = [];
    for (const [i, views] of blockViews(blocks).entries()) {
      parts.push(await this.#model.generate({ prompt, seed: seed + BigInt(i), views }));
    }
    return joinFrames(parts);
  }

  /** A clip of 12n - 3 frames after encoding and decoding: what the walk could look like at best. */
  async reconstruct(clip: RgbFrames): Promise<RgbFrames> {
    const latents = await this.#encode(clip);
    const [count, z, h, w] = latents.shape;
    const block = LATENTS_PER_BLOCK * z * h * w;
    const parts: RgbFrames[] = [];
    let history;
    for (let i = 0; i < count / LATENTS_PER_BLOCK; i++) {
      const part = latents.data.slice(i * block, (i + 1) * block) as Float32Array;
      const uploaded = this.device.upload(f32([LATENTS_PER_BLOCK, z, h, w], part));
      const decoded = await this.#decoder.decode(uploaded, history);
      uploaded.release();
      history?.forEach((t) => t.release());
      history = decoded.history;
      const data = new Uint8Array(new Uint8ClampedArray(decoded.frames).buffer);
      parts.push({ ...this.size, count: decoded.count, data });
    }
    history?.forEach((t) => t.release());
    return joinFrames(parts);
  }

  /** Releases everything. */
  async close(): Promise<void> {
    await this.#model.unload();
    for (const program of this.#encoders.values()) program.dispose();
    this.#decoder.dispose();
    this.device.dispose();
  }

  /** Normalised latents [N,z,h,w] of a clip. */
  async #encode(clip: RgbFrames): Promise<Tensor> {
    const { width, height, count } = clip;
    let program = this.#encoders.get(count);
    if (!program) {
      const graph = new Graph();
      const { config, vae } = this.#files;
      const video = graph.input("video", [count, 3, height, width]);
      const { mean } = encodeFrames(video, config.vae, vae, new FrameHistory(graph, "only"));
      graph.output("latents", normaliseLatents(mean, config.latentsMean, config.latentsStd));
      program = await this.device.compile(graph);
      this.#encoders.set(count, program);
    }
    const { latents } = await program.run({ video: f32([count, 3, height, width], planesOf(clip)) });
    const read = await latents.read();
    latents.release();
    return read;
  }
}

/** RGB bytes [T,H,W,3] as planes [T,3,H,W] in [-1,1]. */
function planesOf({ width, height, count, data }: RgbFrames): Float32Array {
  const pixels = width * height;
  const planes = new Float32Array(data.length);
  for (let frame = 0; frame < count; frame++) {
    for (let i = 0; i < pixels; i++) {
      for (let c = 0; c < 3; c++) {
        planes[(frame * 3 + c) * pixels + i] = data[(frame * pixels + i) * 3 + c] / 127.5 - 1;
      }
    }
  }
  return planes;
}

function joinFrames(parts: readonly RgbFrames[]): RgbFrames {
  const { width, height } = parts[0];
  const data = new Uint8Array(parts.reduce((n, part) => n + part.data.length, 0));
  let at = 0;
  for (const part of parts) {
    data.set(part.data, at);
    at += part.data.length;
  }
  return { width, height, count: data.length / (width * height * 3), data };
}
