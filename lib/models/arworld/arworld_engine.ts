/**
 * The loaded parts of an arworld on one device, compiled for the sizes in use.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { LoadMeter } from "../checkpoint/load_meter.ts";
import { FrameDecoder } from "../video_vae/frame_decoder.ts";
import { ImageEncoder } from "../video_vae/image_encoder.ts";
import { latentSizeOf, wholeTokens } from "../video_vae/vae_config.ts";
import type { Geometry } from "../world/world_model.ts";
import { contextBlocks } from "./config.ts";
import type { ArworldFiles } from "./loader.ts";
import { BlockSampler } from "./sampling/block_sampler.ts";
import type { ChainShapes, ChainState } from "./sampling/chain_state.ts";
import { TimeTables } from "./sampling/time_tables.ts";
import { PromptEncoder } from "./text/prompt_encoder.ts";
import { isStreamed, type TextStore, TextStream } from "./text/text_stream.ts";
import { openTokenizer } from "./text/tokenizer.ts";
import { LATENTS_PER_BLOCK } from "./trajectory.ts";

/** Everything that is compiled for one size of frames. */
export interface ArworldPrograms {
  /** First image to first latent. */
  readonly encoder: ImageEncoder;
  /** Samples latents from noise. */
  readonly sampler: BlockSampler;
  /** Decodes latents. */
  readonly decoder: FrameDecoder;
}

/** Where large text encoders run and their results are kept; small ones run on the engine's device. */
export interface StreamedTexts {
  /** Opens a device of 32-bit floats. */
  readonly openDevice?: (() => Promise<Device>) | undefined;
  /** Keeps encoded texts. */
  readonly store?: TextStore | undefined;
}

/** Weights and programs on a device. */
export class ArworldEngine {
  readonly device: Device;
  readonly files: ArworldFiles;
  readonly prompts: PromptEncoder;
  /** Counts what programs read of the files. */
  readonly meter: LoadMeter;
  readonly #times: TimeTables;
  readonly #sizes = new Map<string, Promise<ArworldPrograms>>();
  readonly #samplers = new Map<string, BlockSampler>();

  private constructor(
    device: Device,
    files: ArworldFiles,
    prompts: PromptEncoder,
    times: TimeTables,
    meter: LoadMeter,
  ) {
    this.meter = meter;
    this.device = device;
    this.files = files;
    this.prompts = prompts;
    this.#times = times;
  }

  /** Compiles what does not depend on the frame size. Takes ownership of the device. */
  static async start(
    device: Device,
    files: ArworldFiles,
    texts: StreamedTexts = {},
    meter: LoadMeter = new LoadMeter(),
  ): Promise<ArworldEngine> {
    const { config, textEncoder, transformer } = files;
    const { openDevice } = texts;
    const stream = openDevice && isStreamed(config.textEncoder)
      ? new TextStream({ config: config.textEncoder, weights: textEncoder, openDevice, store: texts.store })
      : undefined;
    const tokenizer = openTokenizer("tokenizer.json", files.tokenizer);
    const times = await TimeTables.compute(device, config.transformer, transformer);
    return new ArworldEngine(
      device,
      files,
      new PromptEncoder(device, { config, textEncoder, transformer, tokenizer, stream }),
      times,
      meter,
    );
  }

  /** The programs of a size; compiled on the first call. */
  programs(geometry: Geometry): Promise<ArworldPrograms> {
    const key = keyOf(geometry);
    let programs = this.#sizes.get(key);
    if (!programs) {
      programs = this.#compile(geometry);
      this.#sizes.set(key, programs);
      // A size that failed to compile is retried next time.
      programs.catch(() => this.#sizes.delete(key));
    }
    return programs;
  }

  /** The shapes of a chain's state at a size. */
  async chainShapes(geometry: Geometry): Promise<ChainShapes> {
    const { decoder, sampler } = await this.programs(geometry);
    return {
      latent: decoder.shape.slice(1),
      blocks: contextBlocks(this.files.config.transformer),
      layers: await sampler.cacheShapes(),
      history: decoder.historyShapes,
    };
  }

  /**
   * The kind of worlds with which the block after a state can share passes. Undefined where it runs alone:
   * as the cost of its device says, before its window is full (each length would need programs of its own), and while its
   * prompt is not encoded, which others would wait for.
   */
  companyOf({ geometry, context }: ChainState, prompt: string): string | undefined {
    const key = keyOf(geometry);
    const isFull = context.length === contextBlocks(this.files.config.transformer);
    return isFull && this.prompts.has(prompt) && this.#samplers.get(key)?.joins ? key : undefined;
  }

  /** Releases the programs of all sizes but these. */
  keepOnly(geometries: readonly Geometry[]): void {
    const kept = new Set(geometries.map(keyOf));
    for (const [key, programs] of this.#sizes) {
      if (kept.has(key)) continue;
      this.#sizes.delete(key);
      this.#samplers.delete(key);
      void programs.then(disposePrograms, () => {});
    }
  }

  /** Releases everything, including the device. */
  async dispose(): Promise<void> {
    const sized = await Promise.allSettled(this.#sizes.values());
    for (const result of sized) if (result.status === "fulfilled") disposePrograms(result.value);
    this.#sizes.clear();
    this.prompts.dispose();
    this.#times.dispose();
    this.device.dispose();
  }

  async #compile(geometry: Geometry): Promise<ArworldPrograms> {
    const { config, vae, transformer } = this.files;
    const { width, height } = wholeTokens(config.vae, geometry);
    const size = latentSizeOf(config.vae, { width, height });
    const sampler = new BlockSampler(this.device, config.transformer, transformer, this.#times, size);
    let encoder: ImageEncoder | undefined;
    try {
      await sampler.prepare();
      encoder = await ImageEncoder.compile(this.device, config, vae, width, height);
      const decoder = await FrameDecoder.compile(this.device, config, vae, size, LATENTS_PER_BLOCK);
      this.#samplers.set(keyOf(geometry), sampler);
      return { encoder, sampler, decoder };
    } catch (error) {
      sampler.dispose();
      encoder?.dispose();
      throw error;
    }
  }
}

function disposePrograms({ encoder, sampler, decoder }: ArworldPrograms): void {
  encoder.dispose();
  sampler.dispose();
  decoder.dispose();
}

function keyOf({ width, height }: Geometry): string {
  return `${width}x${height}`;
}
