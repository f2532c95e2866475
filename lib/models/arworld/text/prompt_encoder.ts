/**
 * Encodes prompts for the transformer's layers.
 *
 * @module
 */
import { type Device, type DeviceTensor, f32, type Program, type Tensor } from "../../../compute/tensor/mod.ts";
import { embeddingRows } from "../../checkpoint/stored_weight.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { type BlockCache, cacheOutputs, cacheTensors, releaseAll } from "../../world/device_state.ts";
import { ProgramCache } from "../../world/program_cache.ts";
import type { ArworldConfig } from "../config.ts";
import { type LayerRange, promptGraph, textCacheGraph } from "../transformer/transformer_graphs.ts";
import type { TextStream } from "./text_stream.ts";
import type { PromptTokenizer } from "./tokenizer.ts";

/** Number of prompts whose keys and values stay on the device, and of lengths whose programs are kept. */
const KEPT_PROMPTS = 4;

/** Programs are compiled for multiples of this many tokens. */
const LENGTH_STEP = 16;

/** Added to the logits of padding keys; within the range of 16-bit floats. */
const MASKED = -30000;

/** Keys and values of prompts that stay on the device have at most this many bytes, but those of the newest do. */
const KEPT_BYTES = 256 * 2 ** 20;

/** Weights, configuration and tokenizer of prompts. */
export interface PromptModel {
  readonly config: ArworldConfig;
  readonly textEncoder: Weights;
  readonly transformer: Weights;
  readonly tokenizer: PromptTokenizer;
  /** Encodes text elsewhere when the text encoder is too large to stay on the device. */
  readonly stream?: TextStream | undefined;
}

/** Layers whose keys and values of a streamed text are computed by one program. */
const LAYERS_AT_ONCE = 6;

/** All layers in groups, the largest first. */
export function textRanges(layers: number): LayerRange[] {
  return Array.from({ length: Math.ceil(layers / LAYERS_AT_ONCE) }, (_, i) => {
    const first = i * LAYERS_AT_ONCE;
    return { first, count: Math.min(LAYERS_AT_ONCE, layers - first) };
  });
}

/** How many prompts of so many bytes each stay on the device. */
export function promptsKept(bytes: number): number {
  return Math.max(1, Math.min(KEPT_PROMPTS, Math.floor(KEPT_BYTES / bytes)));
}

/** Encodes prompts; the latest ones are cached. */
export class PromptEncoder {
  readonly #device: Device;
  readonly #model: PromptModel;
  readonly #programs = new ProgramCache(KEPT_PROMPTS);
  readonly #known = new Map<string, BlockCache>();

  /** Compiles nothing yet. */
  constructor(device: Device, model: PromptModel) {
    this.#device = device;
    this.#model = model;
  }

  /**
   * Keys and values of the prompt by layer. Owned by the encoder and kept until several other prompts have been
   * encoded. Prompts are truncated to the model's text length, as in training.
   *
   * @throws the signal's reason when it aborts before the prompt is encoded.
   */
  async encode(prompt: string, signal?: AbortSignal): Promise<BlockCache> {
    const known = this.#known.get(prompt);
    if (known) {
      this.#known.delete(prompt);
      this.#known.set(prompt, known);
      return known;
    }
    const { ids, length } = this.#model.tokenizer.encode(prompt, this.#model.config.transformer.textLen);
    const cache = await this.encodeTokens(ids.subarray(0, length), signal);
    this.#known.set(prompt, cache);
    while (this.#known.size > 1 && (this.#known.size > KEPT_PROMPTS || this.#keptBytes() > KEPT_BYTES)) {
      const [[oldest, layers]] = this.#known;
      releaseAll(cacheTensors([layers]));
      this.#known.delete(oldest);
    }
    return cache;
  }

  /** Whether a prompt is encoded already. */
  has(prompt: string): boolean {
    return this.#known.has(prompt);
  }

  /** Keys and values of token ids, including the end of text; owned by the caller. */
  async encodeTokens(ids: ArrayLike<number>, signal?: AbortSignal): Promise<BlockCache> {
    const { textLen, textDim, numLayers } = this.#model.config.transformer;
    const { stream } = this.#model;
    if (stream) {
      const text = new Float32Array(textLen * textDim);
      text.set(await stream.encode(ids, signal));
      return cacheOutputs("text", numLayers, await this.#textCache(f32([textLen, textDim], text), signal));
    }
    const length = Math.min(textLen, Math.ceil(ids.length / LENGTH_STEP) * LENGTH_STEP);
    const real = Float32Array.from({ length }, (_, i) => i < ids.length ? 1 : 0);
    const program = await this.#program(length);
    const outputs = await program.run({
      rows: embeddingRows(this.#model.textEncoder.matrix("token_embedding.weight"), ids, length),
      mask: f32([1, 1, length], real.map((r) => r ? 0 : MASKED)),
      real: f32([length, 1], real),
    }, { signal });
    return cacheOutputs("text", numLayers, outputs);
  }

  /** Releases programs and cached prompts. */
  dispose(): void {
    this.#programs.dispose();
    releaseAll(cacheTensors(this.#known.values()));
    this.#known.clear();
  }

  #keptBytes(): number {
    return [...cacheTensors(this.#known.values())].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** A gigabyte of weights that nothing else uses: some layers at a time are on the device, and none afterwards. */
  async #textCache(text: Tensor, signal: AbortSignal | undefined): Promise<Record<string, DeviceTensor>> {
    const { config: { transformer: config }, transformer: weights } = this.#model;
    const outputs: Record<string, DeviceTensor> = {};
    try {
      for (const range of textRanges(config.numLayers)) {
        signal?.throwIfAborted();
        const program = await this.#device.compile(textCacheGraph(config, weights, range));
        try {
          Object.assign(outputs, await program.run({ text }, { signal }));
        } finally {
          program.dispose();
        }
      }
    } catch (error) {
      releaseAll(Object.values(outputs));
      throw error;
    }
    return outputs;
  }

  #program(length: number): Promise<Program> {
    const { config, textEncoder, transformer } = this.#model;
    return this.#programs.get(`${length}`, () =>
      this.#device.compile(promptGraph({
        textEncoder: config.textEncoder,
        transformer: config.transformer,
        textWeights: textEncoder,
        transformerWeights: transformer,
        length,
      })));
  }
}
