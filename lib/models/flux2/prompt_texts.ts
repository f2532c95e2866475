/**
 * From prompts to the transformer's text input.
 *
 * @module
 */
import type { Program, Tensor } from "../../compute/tensor/mod.ts";
import { embeddingRows } from "../checkpoint/embedding_rows.ts";
import type { StoredWeight } from "../checkpoint/stored_weight.ts";
import type { Qwen3Tokenizer } from "../qwen3/prompt_tokenizer.ts";
import { textPositions } from "../qwen3/text_positions.ts";
import type { Flux2Config } from "./config.ts";

/** Prompts whose text tokens are kept in ordinary memory. */
const KEPT_PROMPTS = 4;

/** What encodes a prompt. */
export interface TextEncoder {
  /** A `qwen3Graph`. */
  readonly program: Program;
  /** The token embedding. */
  readonly table: StoredWeight;
}

/** Encodes prompts; the latest ones are remembered, so that another seed needs no text encoder. */
export class PromptTexts {
  readonly #config: Flux2Config;
  readonly #tokenizer: Qwen3Tokenizer;
  readonly #known = new Map<string, Tensor<"f32">>();

  constructor(config: Flux2Config, tokenizer: Qwen3Tokenizer) {
    this.#config = config;
    this.#tokenizer = tokenizer;
  }

  /** Throws when a prompt has too many tokens; nothing is loaded. */
  check(prompt: string): void {
    if (!this.#known.has(prompt)) this.#tokenizer.encode(prompt, this.#config.textLength);
  }

  /** Text tokens of a prompt with its padding, [length, channels]. */
  async encode(prompt: string, load: () => Promise<TextEncoder>): Promise<Tensor<"f32">> {
    const known = this.#known.get(prompt);
    this.#known.delete(prompt);
    const text = known ?? await this.#encode(prompt, await load());
    this.#known.set(prompt, text);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT_PROMPTS) this.#known.delete(oldest);
    return text;
  }

  async #encode(prompt: string, { program, table }: TextEncoder): Promise<Tensor<"f32">> {
    const { textEncoder, textLength } = this.#config;
    const real = this.#tokenizer.encode(prompt, textLength);
    const ids = new Int32Array(textLength).fill(this.#tokenizer.padding);
    ids.set(real);
    return await encodeIds(program, table, ids, textPositions(textEncoder, textLength, real.length));
  }
}

/** Text tokens of ids that were filled up to the length of the program. */
export async function encodeIds(
  program: Program,
  table: StoredWeight,
  ids: ArrayLike<number>,
  positions: ReturnType<typeof textPositions>,
): Promise<Tensor<"f32">> {
  const { text } = await program.run({ rows: embeddingRows(table, ids, ids.length), ...positions });
  const read = await text.read();
  text.release();
  return read as Tensor<"f32">;
}
