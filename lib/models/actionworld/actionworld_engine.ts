/**
 * The loaded parts of an actionworld on one device, compiled for the sizes in use.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { LoadMeter } from "../checkpoint/load_meter.ts";
import { FrameDecoder } from "../video_vae/frame_decoder.ts";
import { ImageEncoder } from "../video_vae/image_encoder.ts";
import type { Geometry } from "../world/world_model.ts";
import { canvasFor } from "./canvas.ts";
import { ClipSampler } from "./clip_sampler.ts";
import { CAMERA_POSE_DOMAIN } from "./config.ts";
import type { ActionworldFiles } from "./loader.ts";
import { openMessageTokenizer } from "./prompt_message.ts";
import { takesTurns } from "./takes_turns.ts";
import { TextStreams } from "./text_streams.ts";

/** Everything that is compiled for one size of frames. */
export interface ActionworldPrograms {
  /** Size of the images that the encoder takes. */
  readonly canvas: Geometry;
  /** Encodes an image as the first latent. */
  readonly encoder: ImageEncoder;
  /** Samples latents from noise. */
  readonly sampler: ClipSampler;
  /** Decodes latents, one per call. */
  readonly decoder: FrameDecoder;
  /** Whether sampler and decoder are compiled in turn, when they are used; see {@linkcode takesTurns}. */
  readonly inTurn: boolean;
}

/** Weights and programs on a device. Only programs of the current size are kept. */
export class ActionworldEngine {
  /** The device of all programs. */
  readonly device: Device;
  /** Configuration and weights in ordinary memory. */
  readonly files: ActionworldFiles;
  /** Encodes prompts for the generation stream. */
  readonly texts: TextStreams;
  /** Counts what programs read of the files. */
  readonly meter: LoadMeter;
  readonly #inTurn: boolean | undefined;
  #sized: { readonly key: string; readonly programs: Promise<ActionworldPrograms> } | undefined;

  /**
   * Compiles nothing yet. Takes ownership of the device.
   *
   * @param inTurn Whether sampling and decoding take turns; by default where both are large.
   */
  constructor(device: Device, files: ActionworldFiles, meter: LoadMeter = new LoadMeter(), inTurn?: boolean) {
    this.meter = meter;
    this.#inTurn = inTurn;
    const tokenizer = openMessageTokenizer("tokenizer.json", files.tokenizer, files.chatTemplate);
    this.device = device;
    this.files = files;
    this.texts = new TextStreams(device, files.config.transformer, files.transformer, tokenizer);
  }

  /** The programs of a size; compiled when the call before asked for another. */
  programs(geometry: Geometry): Promise<ActionworldPrograms> {
    const key = `${geometry.width}x${geometry.height}`;
    if (this.#sized?.key !== key) {
      this.#releaseSized();
      const sized = { key, programs: this.#compile(geometry) };
      this.#sized = sized;
      // A failed compilation is retried next time.
      sized.programs.catch(() => {
        if (this.#sized === sized) this.#sized = undefined;
      });
    }
    return this.#sized!.programs;
  }

  /** Releases everything, including the device. */
  async dispose(): Promise<void> {
    await this.#sized?.programs.catch(() => {});
    this.#releaseSized();
    this.texts.dispose();
    this.device.dispose();
  }

  async #compile(geometry: Geometry): Promise<ActionworldPrograms> {
    const { config, transformer, vae } = this.files;
    const canvas = canvasFor(geometry);
    const size = { width: geometry.width / 16, height: geometry.height / 16 };
    const inTurn = this.#inTurn ?? takesTurns(this.device, config, vae, size);
    const sampler = new ClipSampler(this.device, config.transformer, transformer, size, CAMERA_POSE_DOMAIN);
    const decoder = new FrameDecoder(this.device, config, vae, size, 1);
    const encoder = await ImageEncoder.compile(this.device, config, vae, canvas.width, canvas.height);
    try {
      if (!inTurn) await decoder.prepare();
    } catch (error) {
      encoder.dispose();
      throw error;
    }
    return { canvas, encoder, sampler, decoder, inTurn };
  }

  #releaseSized(): void {
    void this.#sized?.programs.then(({ encoder, sampler, decoder }) => {
      encoder.dispose();
      sampler.dispose();
      decoder.dispose();
    }, () => {});
    this.#sized = undefined;
  }
}
