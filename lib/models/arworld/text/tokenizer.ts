/**
 * Turns prompts into the token ids of the UMT5 text encoder.
 *
 * @module
 */
import { encodeStart } from "../../tokenizer/encode_start.ts";
import { parseTokenizer, TokenizerError } from "../../tokenizer/tokenizer_json.ts";
import { cleanPrompt } from "./prompt_text.ts";

const END_OF_TEXT = "</s>";

/** A prompt as the text encoder takes it. */
export interface PromptTokens {
  /** Ids with the end of text last, padded with the id 0. */
  readonly ids: Int32Array;
  /** Number of ids without padding, including the end of text. */
  readonly length: number;
}

/** A loaded `tokenizer.json`. */
export interface PromptTokenizer {
  /**
   * @param prompt Any text; HTML entities and runs of white space are cleaned first. What does not fit is left out.
   * @param textLength Ids that the text encoder takes.
   */
  encode(prompt: string, textLength: number): PromptTokens;
}

/**
 * Makes a tokenizer from the contents of a `tokenizer.json` with a Unigram model.
 *
 * @param name Name of the file for error sentences.
 * @param json The parsed file.
 * @throws {TokenizerError} when it is not a Unigram tokenizer with `</s>` in its vocabulary.
 */
export function openTokenizer(name: string, json: unknown): PromptTokenizer {
  const file = json as { model?: { type?: unknown; vocab?: unknown; unk_id?: unknown } } | null;
  const model = file?.model;
  if (model?.type !== "Unigram") fail(name, `its model is ${JSON.stringify(model?.type)}, expected "Unigram"`);
  const vocab = model.vocab;
  if (!Array.isArray(vocab) || !vocab.every(isPiece)) {
    fail(name, "its vocabulary is not a list of [piece, score] pairs");
  }
  const unknown = model.unk_id as number;
  if (!Number.isInteger(unknown) || unknown < 0 || unknown >= vocab.length) {
    fail(name, `its unk_id is ${JSON.stringify(unknown)}, expected a place in the ${vocab.length} pieces`);
  }
  const tokenizer = parseTokenizer(name, file as object, { eos_token: END_OF_TEXT });
  const end = tokenizer.token_to_id(END_OF_TEXT);
  if (end === undefined) fail(name, `it has no piece "${END_OF_TEXT}"`);
  return {
    encode(prompt, textLength) {
      const kept = encodeStart(tokenizer, cleanPrompt(prompt), textLength - 1);
      const padded = new Int32Array(textLength);
      padded.set(kept);
      padded[kept.length] = end;
      return { ids: padded, length: kept.length + 1 };
    },
  };
}

function isPiece(entry: unknown): boolean {
  return Array.isArray(entry) && typeof entry[0] === "string" && Number.isFinite(entry[1]);
}

function fail(name: string, reason: string): never {
  throw new TokenizerError(`Cannot use ${name}: ${reason}`);
}
