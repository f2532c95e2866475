/**
 * Tokenizes texts for encoders.
 *
 * @module
 */
import type { Tokenizer } from "@huggingface/tokenizers";
import type { JsonObject } from "../files/model_json.ts";
import type { TokenSequence } from "./token_sequence.ts";

/** Makes token sequences, with the special tokens of the tokenizer's post-processor. */
export class SequenceEncoder {
  readonly #tokenizer: Tokenizer;
  readonly #added = new Map<string, number>();
  readonly #special = new Set<number>();
  readonly #maxType: number;

  /** @param config The parsed `config.json`. */
  constructor(tokenizer: Tokenizer, config: JsonObject) {
    this.#tokenizer = tokenizer;
    // Tokenizers may use two token types although the model was trained with one.
    this.#maxType = typeof config.type_vocab_size === "number" ? Math.max(config.type_vocab_size - 1, 0) : Infinity;
    for (const [id, { content, normalized, special }] of tokenizer.get_added_tokens_decoder()) {
      if (special) this.#special.add(id);
      this.#added.set(content, id);
      if (normalized && tokenizer.normalizer) this.#added.set(tokenizer.normalizer.normalize(content), id);
    }
  }

  /** The sequence of a text. */
  text(text: string): TokenSequence {
    return this.#sequence(this.#pieces(text), null);
  }

  /** The sequence of a text that includes its special tokens. */
  written(text: string): TokenSequence {
    return this.#numbered(this.#pieces(text), [], undefined);
  }

  /** Length of a text's sequence without the final special token. */
  lengthBeforeEnd(text: string): number {
    const { ids } = this.text(text);
    return this.#special.has(ids[ids.length - 1]) ? ids.length - 1 : ids.length;
  }

  /** Returns a function that makes sequences of pairs with the same first text. */
  pairsWith(first: string): (second: string) => TokenSequence {
    const pieces = this.#pieces(first);
    return (second) => this.#sequence(pieces, this.#pieces(second));
  }

  #pieces(text: string): string[] {
    return this.#tokenizer.tokenize(text, { add_special_tokens: false });
  }

  /** The library treats a pair with an empty text as a single text, so the post-processor is called directly. */
  #sequence(first: string[], second: string[] | null): TokenSequence {
    const processed = this.#tokenizer.post_processor?.post_process(first, second, true);
    if (processed === undefined) return this.#numbered(first, second ?? [], undefined);
    return this.#numbered(processed.tokens, processed.tokens_pair ?? [], processed.token_type_ids);
  }

  #numbered(first: readonly string[], second: readonly string[], known: readonly number[] | undefined): TokenSequence {
    const ids: number[] = [];
    const types: number[] = [];
    for (const [i, piece] of [...first, ...second].entries()) {
      const id = this.#added.get(piece) ?? this.#tokenizer.token_to_id(piece) ?? this.#tokenizer.model?.unk_token_id;
      // Vocabularies without an unknown token skip unknown pieces.
      if (id === undefined) continue;
      ids.push(id);
      types.push(Math.min(known?.[i] ?? (i < first.length ? 0 : 1), this.#maxType));
    }
    return { ids, types };
  }
}
