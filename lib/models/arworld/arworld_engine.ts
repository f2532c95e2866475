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
  readonly #encoders = new Map<string, Promise<ImageEncoder>>();
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
    return compiledOnce(this.#sizes, keyOf(geometry), () => this.#compile(geometry));
  }

  /** The encoder of {@linkcode programs}, without the others: enough to measure a picture. */
  encoder(geometry: Geometry): Promise<ImageEncoder> {
    const { config, vae } = this.files;
    const { width, height } = wholeTokens(config.vae, geometry);
    const compile = () => ImageEncoder.compile(this.device, config, vae, width, height);
    return compiledOnce(this.#encoders, keyOf(geometry), compile);
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

  /** Releases the programs of all sizes but these, and the encoders of all but those and `encoded`. */
  keepOnly(geometries: readonly Geometry[], encoded: readonly Geometry[] = []): void {
    const kept = new Set(geometries.map(keyOf));
    for (const [key, programs] of this.#sizes) {
      if (kept.has(key)) continue;
      this.#sizes.delete(key);
      this.#samplers.delete(key);
      void programs.then(disposePrograms, () => {});
    }
    for (const size of encoded) kept.add(keyOf(size));
    for (const key of this.#encoders.keys()) if (!kept.has(key)) this.#releaseEncoder(key);
  }

  /** Releases everything, including the device. */
  async dispose(): Promise<void> {
    const compiled = [...this.#sizes.values(), ...this.#encoders.values()];
    this.keepOnly([]);
    await Promise.allSettled(compiled);
    this.prompts.dispose();
    this.#times.dispose();
    this.device.dispose();
  }

  async #compile(geometry: Geometry): Promise<ArworldPrograms> {
    const { config, vae, transformer } = this.files;
    const size = latentSizeOf(config.vae, wholeTokens(config.vae, geometry));
    const sampler = new BlockSampler(this.device, config.transformer, transformer, this.#times, size);
    try {
      await sampler.prepare();
      const encoder = await this.encoder(geometry);
      const decoder = await FrameDecoder.compile(this.device, config, vae, size, LATENTS_PER_BLOCK);
      this.#samplers.set(keyOf(geometry), sampler);
      return { encoder, sampler, decoder };
    } catch (error) {
      sampler.dispose();
      this.#releaseEncoder(keyOf(geometry));
      throw error;
    }
  }

  #releaseEncoder(key: string): void {
    void this.#encoders.get(key)?.then((encoder) => encoder.dispose(), () => {});
    this.#encoders.delete(key);
  }
}

/** What is compiled for a key; a failed attempt is repeated next time. */
function compiledOnce<T>(all: Map<string, Promise<T>>, key: string, compile: () => Promise<T>): Promise<T> {
  let compiled = all.get(key);
  if (!compiled) {
    compiled = compile();
    all.set(key, compiled);
    compiled.catch(() => all.delete(key));
  }
  return compiled;
}

function disposePrograms({ sampler, decoder }: ArworldPrograms): void {
  sampler.dispose();
  decoder.dispose();
}

function keyOf({ width, height }: Geometry): string {
  return `${width}x${height}`;
}
