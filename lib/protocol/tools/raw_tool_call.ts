/**
 * Tool calls as models write them.
 *
 * @module
 */
import type { ToolDefinition } from "../chat/chat_request.ts";
import { textArguments } from "./text_arguments.ts";
import type { TextArgument } from "./text_arguments.ts";

/** A call before it is compared with the available functions. */
export interface RawToolCall {
  readonly name: string;
  /** JSON text of an object, as the model wrote it wherever it was JSON. */
  readonly arguments: string;
}

/** A piece of an answer: text, or what a span of text from one mark to another stands for. */
export type AnswerPiece = string | {
  /** The original text. */
  readonly raw: string;
  readonly calls: readonly RawToolCall[];
  /** Whether something that was to be a call could not be read. */
  readonly broken: boolean;
};

/** What reading depends on. */
export interface CallContext {
  /** The functions; undefined when any name may be one. */
  readonly tools?: ReadonlyMap<string, ToolDefinition> | undefined;
  /** Whether the answer was cut off, so that a call without its end is not a call. */
  readonly cut: boolean;
}

/** Finds the calls in a whole answer; the raw pieces, joined, are the answer. Never throws. */
export type ToolCallReader = (text: string, context: CallContext) => AnswerPiece[];

/** What was found after a mark, and where its text ends. */
export interface FoundCalls {
  readonly calls: readonly RawToolCall[];
  readonly end: number;
  /** Whether something after them is to be a call, too, but cannot be read; it lasts until the next mark. */
  readonly broken?: boolean;
}

/** The marks of a format. */
export interface CallMarks {
  /** Where calls can begin. */
  readonly open: RegExp;
  /** Marks after calls. */
  readonly close: RegExp;
  /** The opening marks as texts, of which the beginning may be all that was generated. */
  readonly texts: readonly string[];
  /** The closing ones. */
  readonly ends: readonly string[];
}

/** Whether a name may be that of a function; then the name of that function. */
export function knownName(name: string, { tools }: CallContext): string | undefined {
  if (tools === undefined || tools.has(name)) return name;
  const bare = name.replace(/^(?:functions?|tools?)[.:/]/, "");
  return tools.has(bare) ? bare : undefined;
}

/** A call with arguments as text between marks. */
export function textCall(name: string, given: readonly TextArgument[], context: CallContext): RawToolCall {
  const known = knownName(name, context);
  const parameters = known === undefined ? undefined : context.tools?.get(known)?.parameters;
  return { name, arguments: textArguments(given, parameters ?? {}) };
}

/** Marks of an answer after which calls are looked for; a message has no more calls than that. */
const MAX_MARKS = 256;

/**
 * Scans an answer from mark to mark. A mark is never text: when no call can be read after it, all up to its end is left
 * out, or the mark alone where prose follows. Closing marks without an opening one are text.
 *
 * @param read Reads the calls at a mark; undefined when there is none.
 */
export function readPieces(
  text: string,
  marks: CallMarks,
  context: CallContext,
  read: (match: RegExpExecArray, end: number) => FoundCalls | undefined,
): AnswerPiece[] {
  const { open, close, texts, ends } = marks;
  const brokenEnd = brokenEnds(text, marks, context.cut);
  const pieces: AnswerPiece[] = [];
  const pattern = new RegExp(open.source, "g");
  const closing = new RegExp(close.source, "g");
  let told = 0;
  let marksRead = 0;
  /** Text up to an offset, without closing marks that are left from calls before it. */
  const tell = (end: number): void => {
    if (told === 0) {
      if (end > 0) pieces.push(text.slice(0, end));
      told = end;
      return;
    }
    const from = told;
    for (const { index, 0: mark } of text.slice(from, end).matchAll(closing)) {
      if (from + index > told) pieces.push(text.slice(told, from + index));
      pieces.push({ raw: mark, calls: [], broken: false });
      told = from + index + mark.length;
    }
    if (end > told) pieces.push(text.slice(told, end));
    told = end;
  };
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const found = (marksRead++ < MAX_MARKS ? read(match, pattern.lastIndex) : undefined) ??
      { calls: [], end: pattern.lastIndex, broken: true };
    const end = found.broken === true ? brokenEnd(found.end) : found.end;
    tell(match.index);
    const raw = text.slice(match.index, end);
    // A mark alone, of a wrapper for example, promises nothing.
    const isEmpty = found.calls.length === 0 && raw.trim() === match[0].trim() && !(context.cut && end === text.length);
    pieces.push({ raw, calls: found.calls, broken: found.broken === true && !isEmpty });
    told = pattern.lastIndex = end;
  }
  const partial = context.cut ? partialMark(text.slice(told), told === 0 ? texts : [...texts, ...ends]) : 0;
  tell(text.length - partial);
  if (partial > 0) pieces.push({ raw: text.slice(text.length - partial), calls: [], broken: partial > 2 });
  return pieces;
}

/** What follows a mark where a call is meant, rather than prose about the mark. */
const CALL = /\s*(?:[{["<]|```|[\w.-]+\s*(?:[({[<:\n]|$)|$)/y;

/**
 * Finds where a call ends that cannot be read: after its closing mark, before the next opening one, or with the text.
 * Of a text that was cut off it is the last one that was not finished, whatever marks its arguments contain.
 */
function brokenEnds(text: string, { open, close }: CallMarks, cut: boolean): (start: number) => number {
  const marks = new RegExp(`((?:${close.source})(?:\\s*(?:${close.source}))*)|${open.source}`, "g");
  const opening = new RegExp(open.source, "g");
  return (start) => {
    opening.lastIndex = marks.lastIndex = CALL.lastIndex = start;
    if (cut && !opening.test(text)) return text.length;
    const next = marks.exec(text);
    if (next?.[1] !== undefined) return marks.lastIndex;
    return CALL.test(text) ? next?.index ?? text.length : start;
  };
}

/** Letters at the end of a text that begin a mark. Of a mark that is a word all but its last letter must be there. */
function partialMark(text: string, texts: readonly string[]): number {
  let longest = 0;
  for (const mark of texts) {
    const least = /^\w/.test(mark) ? mark.length - 1 : 1;
    for (let count = Math.min(mark.length - 1, text.length); count >= least && count > longest; count--) {
      if (text.endsWith(mark.slice(0, count))) longest = count;
    }
  }
  return longest;
}

/** Where the match of a sticky expression at a position ends; the position itself where it does not match. */
export function skip(text: string, at: number, sticky: RegExp): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : at;
}
