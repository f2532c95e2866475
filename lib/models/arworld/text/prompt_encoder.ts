/**
 * Encodes prompts for the transformer's layers.
 *
 * @module
 */
import { type Device, f32, type Program } from "../../../compute/tensor/mod.ts";
import { embeddingRows } from "../../checkpoint/embedding_rows.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { type BlockCache, cacheOutputs, cacheTensors, releaseAll } from "../../world/device_state.ts";
import { ProgramCache } from "../../world/program_cache.ts";
import type { ArworldConfig } from "../config.ts";
import type { PromptTokenizer } from "./tokenizer.ts";
import { promptGraph } from "../transformer/transformer_graphs.ts";

/** Number of prompts whose keys and values stay on the device, and of lengths whose programs are kept. */
const KEPT_PROMPTS = 4;

/** Programs are compiled for multiples of this many tokens. */
const LENGTH_STEP = 16;

/** Added to the logits of padding keys; within the range of 16-bit floats. */
const MASKED = -30000;

/** Weights, configuration and tokenizer of prompts. */
export interface PromptModel {
  readonly config: ArworldConfig;
  readonly textEncoder: Weights;
  readonly transformer: Weights;
  readonly tokenizer: PromptTokenizer;
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
   */
  async encode(prompt: string): Promise<BlockCache> {
    const known = this.#known.get(prompt);
    if (known) {
      this.#known.delete(prompt);
      this.#known.set(prompt, known);
      return known;
    }
    const { ids, length } = this.#model.tokenizer.encode(prompt, this.#model.config.transformer.textLen);
    const cache = await this.encodeTokens(ids.subarray(0, length));
    this.#known.set(prompt, cache);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT_PROMPTS) {
      releaseAll(cacheTensors([this.#known.get(oldest)!]));
      this.#known.delete(oldest);
    }
    return cache;
  }

  /** Keys and values of token ids, including the end of text; owned by the caller. */
  async encodeTokens(ids: ArrayLike<number>): Promise<BlockCache> {
    const { textLen, numLayers } = this.#model.config.transformer;
    const length = Math.min(textLen, Math.ceil(ids.length / LENGTH_STEP) * LENGTH_STEP);
    const real = Float32Array.from({ length }, (_, i) => i < ids.length ? 1 : 0);
    const program = await this.#program(length);
    const outputs = await program.run({
      rows: embeddingRows(this.#model.textEncoder.matrix("token_embedding.weight"), ids, length),
      mask: f32([1, 1, length], real.map((r) => r ? 0 : MASKED)),
      real: f32([length, 1], real),
    });
    return cacheOutputs("text", numLayers, outputs);
  }

  /** Releases programs and cached prompts. */
  dispose(): void {
    this.#programs.dispose();
    releaseAll(cacheTensors(this.#known.values()));
    this.#known.clear();
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
