/**
 * Token ids of the beginning of a text.
 *
 * @module
 */
import type { Tokenizer } from "@huggingface/tokenizers";

/** Characters that are tokenised at once: a tokenizer needs a thousand times the memory of its text. */
const PART = 4096;

/**
 * The first `count` ids of a text, and no work for what comes after them. Long texts are taken apart before white space,
 * where no token of a vocabulary of words and their pieces reaches across; white space must be single spaces.
 *
 * @param tokenizer A tokenizer that adds no special tokens.
 */
export function encodeStart(tokenizer: Tokenizer, text: string, count: number): number[] {
  const ids: number[] = [];
  for (let start = 0; ids.length < count && (start < text.length || start === 0);) {
    const end = partEnd(text, start);
    for (const id of tokenizer.encode(text.slice(start, end), { add_special_tokens: false }).ids) {
      if (ids.length < count) ids.push(id);
    }
    start = end;
    if (end === 0) break;
  }
  return ids;
}

/** Before the last space of a part, else where the part is full, but never within a character. */
function partEnd(text: string, start: number): number {
  if (text.length - start <= PART) return text.length;
  const space = text.lastIndexOf(" ", start + PART);
  if (space > start) return space;
  const unit = text.charCodeAt(start + PART);
  return start + PART - (unit >= 0xdc00 && unit < 0xe000 ? 1 : 0);
}
