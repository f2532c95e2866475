/**
 * Encodes messages for the generation stream.
 *
 * @module
 */
import { type Device, f32 } from "../../compute/tensor/mod.ts";
import { embeddingRows } from "../checkpoint/stored_weight.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { type BlockCache, cacheOutputs, cacheTensors, releaseAll } from "../world/device_state.ts";
import { ProgramCache } from "../world/program_cache.ts";
import type { ActionTransformerConfig } from "./config.ts";
import { rotaryTables, textPositions } from "./positions.ts";
import type { MessageTokenizer } from "./prompt_message.ts";
import { needsOneProgram } from "./takes_turns.ts";
import { textGraph } from "./transformer/transformer_graphs.ts";

/** Number of messages whose keys and values stay on the device. */
const KEPT_MESSAGES = 4;

/** Number of lengths whose programs are kept. */
const KEPT_PROGRAMS = 2;

/** Keys and values of a message in every layer, [length, key heads, headDim]. */
export interface TextStream {
  /** By layer; see `textGraph`. */
  readonly layers: BlockCache;
  /** Tokens of the message. */
  readonly length: number;
}

/** The text half of the transformer; it depends on the message only, so that it runs once per message. */
export class TextStreams {
  readonly #device: Device;
  readonly #config: ActionTransformerConfig;
  readonly #weights: Weights;
  readonly #tokenizer: MessageTokenizer;
  readonly #programs = new ProgramCache(KEPT_PROGRAMS);
  readonly #single: boolean;
  readonly #known = new Map<string, TextStream>();

  /**
   * Compiles nothing yet.
   *
   * @param single Whether a program is there for one message only; by default where its weights are large.
   */
  constructor(
    device: Device,
    config: ActionTransformerConfig,
    weights: Weights,
    tokenizer: MessageTokenizer,
    single: boolean = needsOneProgram(device, config),
  ) {
    this.#single = single;
    this.#device = device;
    this.#config = config;
    this.#weights = weights;
    this.#tokenizer = tokenizer;
  }

  /** The stream of a message. Owned by this object and kept until several other messages have been encoded. */
  async read(message: string, signal?: AbortSignal): Promise<TextStream> {
    const known = this.#known.get(message);
    const stream = known ?? await this.readTokens(this.#tokenizer.encode(message), signal);
    this.#known.delete(message);
    this.#known.set(message, stream);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT_MESSAGES) {
      releaseAll(cacheTensors([this.#known.get(oldest)!.layers]));
      this.#known.delete(oldest);
    }
    return stream;
  }

  /** The stream of token ids; owned by the caller. */
  async readTokens(ids: ArrayLike<number>, signal?: AbortSignal): Promise<TextStream> {
    const { length } = ids;
    const { cos, sin } = rotaryTables(textPositions(length), this.#config);
    const shape = [length, this.#config.headDim / 2];
    const program = await this.#programs.get(
      `${length}`,
      () => this.#device.compile(textGraph(this.#config, this.#weights, length)),
    );
    try {
      const outputs = await program.run({
        rows: embeddingRows(this.#weights.matrix("embed_tokens.weight"), ids, length),
        cos: f32(shape, cos),
        sin: f32(shape, sin),
      }, { signal });
      return { layers: cacheOutputs("text", this.#config.numLayers, outputs), length };
    } finally {
      if (this.#single) this.#programs.dispose();
    }
  }

  /** Releases programs and cached streams. */
  dispose(): void {
    this.#programs.dispose();
    for (const { layers } of this.#known.values()) releaseAll(cacheTensors([layers]));
    this.#known.clear();
  }
}
