/**
 * The tokens of a GGUF file.
 *
 * @module
 */
import { readTokenTable, type TokenTable } from "../constrained_decoding/token_table.ts";
import { numbersField, textField, textsField } from "./gguf_fields.ts";
import type { GgufMetadata } from "./gguf_metadata.ts";

/** Token types other than text, as numbered by `tokenizer.ggml.token_type`: unknown, control, unused. */
const NO_TEXT: ReadonlySet<number> = new Set([2, 3, 5]);

/** User-defined tokens: these are literal, regardless of the tokenizer's encoding. */
const USER_DEFINED = 4;

/** Tokens that may be control tokens: all but normal text. */
export interface GgufVocabulary extends TokenTable {
  readonly marks: readonly number[];
}

/** Reads the tokens: byte-level ones and those of SentencePiece, which cover all chat models. */
export function ggufVocabulary(metadata: GgufMetadata): GgufVocabulary {
  const texts = textsField(metadata, "tokenizer.ggml.tokens") ?? [];
  const types = numbersField(metadata, "tokenizer.ggml.token_type") ?? [];
  const marks = texts.map((_, id) => id).filter((id) => NO_TEXT.has(types[id]) || types[id] === USER_DEFINED);
  const table = readTokenTable({
    model: { vocab: texts.map((text) => [text]) },
    decoder: textField(metadata, "tokenizer.ggml.model") === "gpt2" ? { type: "ByteLevel" } : {},
    added_tokens: marks.map((id) => ({ id, content: texts[id], special: NO_TEXT.has(types[id]) })),
  });
  return { ...table, marks };
}
