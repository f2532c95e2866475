/**
 * Tokens as an encoder takes them.
 *
 * @module
 */
import { invalidChat } from "../../api/protocol/mod.ts";
import { leastTokens } from "../text/least_tokens.ts";
import { MOST_ROW_TOKENS } from "./pack_rows.ts";

/** The tokens of one text, or of a pair of texts. */
export interface TokenRow {
  readonly ids: readonly number[];
  /** Which text of a pair each token belongs to. */
  readonly types: readonly number[];
}

/** What a text is encoded for. */
export interface RowPurpose {
  /** Tokens of a row at most; never more than {@linkcode MOST_ROW_TOKENS}. */
  readonly context: number;
  /** The action and the text, such as `embed input[2]`. */
  readonly what: string;
  /** Path of the text in the request. */
  readonly param: string;
}

/**
 * Makes the row of a text, or refuses one that the model cannot take whole. Of a text that is far too long only the
 * beginning is encoded: megabytes would take seconds.
 *
 * @throws {TextError} `context_length_exceeded` with both numbers, `empty_text` for a text that has no tokens.
 */
export function rowWithin(encode: (text: string) => TokenRow, text: string, purpose: RowPurpose): TokenRow {
  const { what, param } = purpose;
  const most = Math.min(purpose.context, MOST_ROW_TOKENS);
  const tooLong = (count: string) =>
    invalidChat("context_length_exceeded", `Cannot ${what}: it has ${count} tokens, expected at most ${most}`, param);
  const least = leastTokens((part) => encode(part).ids.length, text, most);
  if (least !== undefined) throw tooLong(`at least ${least}`);
  const row = encode(text);
  if (row.ids.length > most) throw tooLong(String(row.ids.length));
  if (row.ids.length > 0) return row;
  throw invalidChat("empty_text", `Cannot ${what}: it has no tokens, expected a text`, param);
}
