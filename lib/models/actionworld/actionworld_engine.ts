/**
 * The loaded parts of an actionworld on one device, compiled for the sizes in use.
 *
 * @module
 */
import type { Device } from "../../tensor/mod.ts";
import { FrameDecoder } from "../video_vae/frame_decoder.ts";
import { ImageEncoder } from "../video_vae/image_encoder.ts";
import type { Geometry } from "../world_model.ts";
import { canvasFor } from "./canvas.ts";
import { ClipSampler } from "./clip_sampler.ts";
import { CAMERA_POSE_DOMAIN } from "./config.ts";
import type { ActionworldFiles } from "./loader.ts";
import { openMessageTokenizer } from "./message_tokenizer.ts";
import { TextStreams } from "./text_streams.ts";

/** Everything that is compiled for one size of frames and one length of clips. */
export interface ClipPrograms {
  /** Size of the pictures that the encoder takes. */
  readonly canvas: Geometry;
  /** Picture to first latent. */
  readonly encoder: ImageEncoder;
  /** Noise to latents. */
  readonly sampler: ClipSampler;
  /** Latents to pictures, one latent a call. */
  readonly decoder: FrameDecoder;
}

/** Weights and programs on a device. Programs of the size and the length in use are kept, no others. */
export class ActionworldEngine {
  /** Where everything runs. */
  readonly device: Device;
  /** Configuration and weights in ordinary memory. */
  readonly files: ActionworldFiles;
  /** Prompts to what the clips see of them. */
  readonly texts: TextStreams;
  #clip: { readonly key: string; readonly programs: Promise<ClipPrograms> } | undefined;

  /** Compiles nothing yet. The engine owns the device from now on. */
  constructor(device: Device, files: ActionworldFiles) {
    const tokenizer = openMessageTokenizer("tokenizer.json", files.tokenizer);
    this.device = device;
    this.files = files;
    this.texts = new TextStreams(device, files.config.transformer, files.transformer, tokenizer);
  }

  /** The programs for clips of so many latent frames; compiled when the call before asked for others. */
  programs(geometry: Geometry, frames: number): Promise<ClipPrograms> {
    const key = `${geometry.width}x${geometry.height}x${frames}`;
    if (this.#clip?.key !== key) {
      this.#releaseClip();
      const programs = this.#compile(geometry, frames);
      const clip = { key, programs };
      this.#clip = clip;
      // What could not be compiled is tried anew next time.
      programs.catch(() => {
        if (this.#clip === clip) this.#clip = undefined;
      });
    }
    return this.#clip!.programs;
  }

  /** Releases everything, the device too. */
  async dispose(): Promise<void> {
    await this.#clip?.programs.catch(() => {});
    this.#releaseClip();
    this.texts.dispose();
    this.device.dispose();
  }

  async #compile(geometry: Geometry, frames: number): Promise<ClipPrograms> {
    const { config, transformer, vae } = this.files;
    const canvas = canvasFor(geometry);
    const size = { width: geometry.width / 16, height: geometry.height / 16 };
    const domain = CAMERA_POSE_DOMAIN;
    return {
      canvas,
      encoder: await ImageEncoder.compile(this.device, config, vae, canvas.width, canvas.height),
      sampler: new ClipSampler(this.device, config.transformer, transformer, { ...size, frames }, domain),
      decoder: await FrameDecoder.compile(this.device, config, vae, size, 1),
    };
  }

  #releaseClip(): void {
    void this.#clip?.programs.then(({ encoder, sampler, decoder }) => {
      encoder.dispose();
      sampler.dispose();
      decoder.dispose();
    }, () => {});
    this.#clip = undefined;
  }
}
