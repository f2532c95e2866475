/**
 * Tool calls as models write them.
 *
 * @module
 */

/** A call before it is compared with the available functions. */
export interface RawToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A piece of an answer: text, or the calls that a span of text stands for. */
export type AnswerPiece = string | {
  /** The original text. */
  readonly raw: string;
  readonly calls: readonly RawToolCall[];
  /** Whether the arguments are plain text, from which numbers and other types must be restored. */
  readonly textual: boolean;
};

/** Finds the calls in a whole answer; the raw pieces, joined, are the answer. Never throws. */
export type ToolCallReader = (text: string) => AnswerPiece[];

/** A member of {@linkcode AnswerPiece} with calls, and where its text ends. */
export interface FoundCalls {
  readonly calls: readonly RawToolCall[];
  readonly textual: boolean;
  readonly end: number;
}

/**
 * Scans an answer from mark to mark.
 *
 * @param mark Where calls can begin.
 * @param read Reads the calls after a mark; undefined when there is none and the text is plain.
 */
export function readPieces(
  text: string,
  mark: RegExp,
  read: (match: RegExpExecArray, end: number) => FoundCalls | undefined,
): AnswerPiece[] {
  const pieces: AnswerPiece[] = [];
  const pattern = new RegExp(mark.source, "g");
  let told = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const found = read(match, pattern.lastIndex);
    if (found === undefined) continue;
    if (match.index > told) pieces.push(text.slice(told, match.index));
    pieces.push({ raw: text.slice(match.index, found.end), calls: found.calls, textual: found.textual });
    told = pattern.lastIndex = found.end;
  }
  if (told < text.length) pieces.push(text.slice(told));
  return pieces;
}
