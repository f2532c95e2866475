/**
 * Tokens as an encoder takes them.
 *
 * @module
 */
import { invalidChat } from "../../text/mod.ts";
import { MOST_ROW_TOKENS } from "./pack_rows.ts";

/** The tokens of one text, or of a pair of texts. */
export interface TokenRow {
  readonly ids: readonly number[];
  /** Which text of a pair each token belongs to. */
  readonly types: readonly number[];
}

/**
 * Refuses a row that the model cannot take whole.
 *
 * @param what The action and the text, such as `embed input[2]`.
 * @param param Path of the text in the request.
 * @throws {TextError} `context_length_exceeded` with both numbers, `empty_text` for a text that has no tokens.
 */
export function checkRow(row: TokenRow, context: number, what: string, param: string): void {
  const most = Math.min(context, MOST_ROW_TOKENS);
  if (row.ids.length > most) {
    const message = `Cannot ${what}: it has ${row.ids.length} tokens, expected at most ${most}`;
    throw invalidChat("context_length_exceeded", message, param);
  }
  if (row.ids.length === 0) {
    throw invalidChat("empty_text", `Cannot ${what}: it has no tokens, expected a text`, param);
  }
}
