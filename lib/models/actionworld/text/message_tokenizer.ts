/**
 * Turns messages into the token ids of the text stream.
 *
 * @module
 */
import type { Tokenizer } from "@huggingface/tokenizers";
import { parseTokenizer, TokenizerError } from "../../tokenizer/tokenizer_json.ts";
import { chatRenderer } from "./chat_template.ts";

const END_OF_TEXT = "<|im_end|>";
const START_OF_VISION = "<|vision_start|>";

/** A loaded `tokenizer.json`. */
export interface MessageTokenizer {
  /** The ids of a chat with only this message, followed by the end of text and the start of vision. */
  encode(message: string): Int32Array;
}

/**
 * Makes a tokenizer from the contents of a `tokenizer.json` with a byte-level BPE model (Sennrich et al. 2016; Radford
 * et al. 2019).
 *
 * @param name Name of the file for error sentences.
 * @param json The parsed file.
 * @param template The snapshot's chat template, where it has one.
 * @throws {TokenizerError} when it is not such a tokenizer or lacks a token that the model needs.
 */
export function openMessageTokenizer(name: string, json: unknown, template?: string): MessageTokenizer {
  const type = (json as { model?: { type?: unknown } } | null)?.model?.type;
  if (type !== "BPE") {
    throw new TokenizerError(`Cannot use ${name}: its model is ${JSON.stringify(type)}, expected "BPE"`);
  }
  const tokenizer = parseTokenizer(name, json as object, { eos_token: END_OF_TEXT });
  const chat = chatRenderer("chat_template.jinja", template);
  const last = [END_OF_TEXT, START_OF_VISION].map((token) => idOf(name, tokenizer, token));
  return {
    encode(message) {
      const { ids } = tokenizer.encode(chat(message), { add_special_tokens: false });
      return Int32Array.of(...ids, ...last);
    },
  };
}

function idOf(name: string, tokenizer: Tokenizer, token: string): number {
  const id = tokenizer.token_to_id(token);
  if (id === undefined) throw new TokenizerError(`Cannot use ${name}: it has no token "${token}"`);
  return id;
}
