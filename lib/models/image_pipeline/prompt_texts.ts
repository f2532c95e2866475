/**
 * From prompts to the transformer's text input.
 *
 * @module
 */
import type { Program, Tensor } from "../../compute/tensor/mod.ts";
import { embeddingRows, type StoredWeight } from "../checkpoint/stored_weight.ts";
import type { PromptField } from "../qwen3/prompt_length.ts";
import type { Qwen3Tokenizer } from "../qwen3/prompt_tokenizer.ts";
import { textPositions } from "../qwen3/text_encoder.ts";
import type { ImageFamily } from "./image_family.ts";

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
  readonly #family: ImageFamily;
  readonly #tokenizer: Qwen3Tokenizer;
  readonly #known = new Map<string, Tensor<"f32">>();

  constructor(family: ImageFamily, tokenizer: Qwen3Tokenizer) {
    this.#family = family;
    this.#tokenizer = tokenizer;
  }

  /** Throws when a prompt has too many tokens; nothing is loaded. */
  check(prompt: string, param: PromptField): void {
    if (!this.#known.has(prompt)) this.#tokenizer.encode(prompt, this.#family.textLength, param);
  }

  /** The transformer's text of a prompt. */
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
    const { textEncoder, textLength } = this.#family;
    const real = this.#tokenizer.encode(prompt, textLength);
    const ids = new Int32Array(textLength).fill(this.#tokenizer.padding);
    ids.set(real);
    const encoded = await encodeIds(program, table, ids, textPositions(textEncoder, textLength, real.length));
    return this.#family.text(encoded, real.length);
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
