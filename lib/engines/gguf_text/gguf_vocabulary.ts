/**
 * The tokens of a GGUF file.
 *
 * @module
 */
import { readTokenTable, type TokenTable } from "../constrained_decoding/token_table.ts";
import { numbersField, textField, textsField } from "./gguf_fields.ts";
import type { GgufMetadata } from "./gguf_metadata.ts";

/** Types of tokens that are no text, as `tokenizer.ggml.token_type` numbers them: unknown, control, unused. */
const NO_TEXT: ReadonlySet<number> = new Set([2, 3, 5]);

/** Written by the user of the tokenizer: these stand for themselves, in whatever way other tokens are written. */
const USER_DEFINED = 4;

/** Tokens whose text may be that of a mark: those that are no usual text. */
export interface GgufVocabulary extends TokenTable {
  readonly marks: readonly number[];
}

/** Reads the tokens: byte-level ones and those of SentencePiece, as every model that chats has them. */
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
