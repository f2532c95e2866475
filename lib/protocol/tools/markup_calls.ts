/**
 * Tool calls as markup with one element per argument.
 *
 * @module
 */
import { argumentsAt, jsonCallsAt } from "./json_calls.ts";
import {
  type AnswerPiece,
  type CallContext,
  type CallMarks,
  type FoundCalls,
  knownName,
  readPieces,
  skip,
  textCall,
} from "./raw_tool_call.ts";
import type { TextArgument } from "./text_arguments.ts";

/** How the elements of a format are written, as sources of expressions. */
interface ElementMarks {
  /** Before a value; its first group is the name, a second one says whether the value is a string. */
  readonly open: string;
  /** After a value. */
  readonly close: string;
  /** After all elements: the end of the call. */
  readonly end: string;
  /** After the end: that of the marks around calls. */
  readonly outer: string;
  /** Where another call begins. */
  readonly next: string;
}

const functionOpen = String.raw`<function=\s*["']?([^>\s"']+)["']?\s*>`;

const functionElements: ElementMarks = {
  open: String.raw`<parameter=\s*["']?([^>"']+)["']?>\n?`,
  close: String.raw`\n?</parameter>`,
  end: "</function>",
  outer: "</tool_call>",
  next: "<tool_call>|<function=",
};

/** The marks of {@linkcode readFunctionMarkup}. */
const functionMarks: CallMarks = {
  open: /<tool_call>|<function=/,
  close: /<\/function>(?:\s*<\/tool_call>)?|<\/tool_call>/,
  texts: ["<tool_call>", "<function="],
  ends: ["</tool_call>", "</function>"],
};

/**
 * Reads `<tool_call><function=name><parameter=key>value</parameter>…</function></tool_call>`, as Qwen's coding models
 * write it, or with the arguments in JSON, as Functionary does. A closing mark within a value is text when no further
 * mark follows it.
 */
export function readFunctionMarkup(text: string, context: CallContext): AnswerPiece[] {
  return readPieces(
    text,
    functionMarks,
    context,
    ({ index }, start) => functionCallAt(text, index, context) ?? jsonCallsAt(text, start, functionMarks, context),
  );
}

/** The call in markup whose mark is at a position, which may have another mark around it. */
export function functionCallAt(text: string, at: number, context: CallContext): FoundCalls | undefined {
  const head = new RegExp(String.raw`(?:<tool_call>\s*(?:\`\`\`\w*\s*)?)?${functionOpen}`, "y");
  head.lastIndex = at;
  const name = head.exec(text)?.[1];
  if (name === undefined) return undefined;
  const start = skip(text, head.lastIndex, /\s*/y);
  if (start < text.length && text[start] !== "<") {
    const found = argumentsAt(text, start, functionMarks, context);
    return found && { calls: [{ name, arguments: found.json }], end: found.end };
  }
  return elementCall(text, head.lastIndex, name, functionElements, context);
}

const keyValueElements: ElementMarks = {
  open: String.raw`<arg_key>([\s\S]*?)</arg_key>\s*<arg_value>`,
  close: "</arg_value>",
  end: "</tool_call>",
  outer: "</tool_call>",
  next: "<tool_call>",
};

const keyValueMarks: CallMarks = {
  open: /<tool_call>/,
  close: /<\/tool_call>/,
  texts: ["<tool_call>"],
  ends: ["</tool_call>"],
};

/**
 * Reads `<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value>…</tool_call>`, as GLM writes it.
 */
export function readKeyValueMarkup(text: string, context: CallContext): AnswerPiece[] {
  return readPieces(text, keyValueMarks, context, ({ index }, start) => {
    const head = /\s*(?:```\w*\s+)?([^\s<{["`]+)/y;
    head.lastIndex = start;
    const name = head.exec(text)?.[1];
    if (name === undefined) {
      return functionCallAt(text, index, context) ?? jsonCallsAt(text, start, keyValueMarks, context);
    }
    if (text[skip(text, head.lastIndex, /\s*/y)] === "{") {
      const found = argumentsAt(text, head.lastIndex, keyValueMarks, context);
      return found && { calls: [{ name, arguments: found.json }], end: found.end };
    }
    return elementCall(text, head.lastIndex, name, keyValueElements, context);
  });
}

const prefix = String.raw`(?:\w+:|｜DSML｜)?`;
const wrapper = `${prefix}(?:tool_calls?|function_calls)>`;

const invokeElements: ElementMarks = {
  open: String.raw`<${prefix}parameter\s+name=\s*["']?([^>"']+)["']?(?:\s+string="(true|false)")?[^>]*>`,
  close: `</${prefix}parameter>`,
  end: `</${prefix}invoke>`,
  outer: `</${wrapper}`,
  next: `<${wrapper}|<${prefix}invoke\\s`,
};

const invokeMarks: CallMarks = {
  open: new RegExp(`<${wrapper}|<${prefix}invoke(?=\\s|$)`),
  close: new RegExp(`</${prefix}invoke>(?:\\s*</${wrapper})?|</${wrapper}`),
  texts: ["<invoke name=", "<minimax:tool_call>", "<｜DSML｜function_calls>", "<｜DSML｜invoke", "<function_calls>"],
  ends: ["</invoke>", "</minimax:tool_call>", "</｜DSML｜function_calls>", "</｜DSML｜invoke>", "</function_calls>"],
};

/**
 * Reads `<invoke name="name"><parameter name="key">value</parameter>…</invoke>`, with a family's prefix or without one,
 * as MiniMax's and DeepSeek's later models write it.
 */
export function readInvokeMarkup(text: string, context: CallContext): AnswerPiece[] {
  return readPieces(text, invokeMarks, context, ({ index }, start) => {
    const head = new RegExp(
      String.raw`(?:<${wrapper}\s*(?:\`\`\`\w*\s*)?)?<${prefix}invoke\s+name=\s*["']?([^>"']+)["']?\s*>`,
      "y",
    );
    head.lastIndex = index;
    const name = head.exec(text)?.[1];
    if (name === undefined) return jsonCallsAt(text, start, invokeMarks, context);
    if (text[skip(text, head.lastIndex, /\s*/y)] === "{") {
      const found = argumentsAt(text, head.lastIndex, invokeMarks, context);
      return found && { calls: [{ name, arguments: found.json }], end: found.end };
    }
    return elementCall(text, head.lastIndex, name, invokeElements, context);
  });
}

/** The elements of a call and its end, which the end of the text stands for where it was not cut off. */
function elementCall(
  text: string,
  start: number,
  name: string,
  marks: ElementMarks,
  context: CallContext,
): FoundCalls | undefined {
  const given: TextArgument[] = [];
  const open = new RegExp(String.raw`\s*${marks.open}`, "y");
  const isOther = (key: string, isLine: boolean): boolean => {
    const known = knownName(name, context);
    const properties = known === undefined ? undefined : context.tools?.get(known)?.parameters.properties;
    const isGiven = given.some((argument) => argument.name === key);
    return !isGiven &&
      (typeof properties === "object" && properties !== null ? Object.hasOwn(properties, key) : isLine);
  };
  let end = start;
  open.lastIndex = start;
  for (let match = open.exec(text); match; match = open.exec(text)) {
    const key = match[1].trim();
    const value = elementEnd(
      text,
      open.lastIndex,
      marks,
      context,
      (next, isLine) => next !== key && isOther(next, isLine),
    );
    if (value === undefined) return undefined;
    const isString = match[2] === undefined ? undefined : match[2] === "true";
    given.push({ name: key, text: text.slice(open.lastIndex, value.end), isString });
    end = open.lastIndex = value.next;
  }
  end = skip(text, end, new RegExp(String.raw`(?:\s*${marks.close})*`, "y"));
  const closing = new RegExp(String.raw`\s*(?:\`\`\`\s*)?(?:${marks.end}(?:\s*${marks.outer})?|${marks.outer})`, "y");
  const closed = skip(text, end, closing);
  if (closed > end) return { calls: [textCall(name, given, context)], end: closed };
  // The end is missing: another call begins, or the model has ended.
  const next = skip(text, end, /\s*/y);
  const isEnd = next >= text.length ? !context.cut : skip(text, next, new RegExp(`(?:${marks.next})`, "y")) > next;
  return isEnd ? { calls: [textCall(name, given, context)], end } : undefined;
}

/**
 * Where a value ends and its element, at best at a closing mark that another mark follows. Where that is missing the value
 * ends before the next argument, or with the call.
 */
function elementEnd(
  text: string,
  start: number,
  { open, close, end, outer, next }: ElementMarks,
  { cut }: CallContext,
  isNext: (key: string, isLine: boolean) => boolean,
): { readonly end: number; readonly next: number } | undefined {
  const ends = `${end}|${outer}`;
  const proper = new RegExp(String.raw`${close}(?=\s*(?:(?:${open})|${ends}|${next}|\`\`\`\s*(?:${ends})|$))`, "g");
  const last = new RegExp(String.raw`\s*(?:${end}\s*${outer}|(?:${ends})\s*(?:${next}|$))`, "g");
  proper.lastIndex = last.lastIndex = start;
  const closed = proper.exec(text);
  const call = last.exec(text);
  const isClosed = closed !== null && (call === null || closed.index < call.index);
  const limit = isClosed ? closed.index : call?.index ?? text.length;
  // An argument that the function has or that begins on a line of its own, and is not closed within the value.
  const inner = new RegExp(String.raw`(?:\n[ \t]*)?(?=${open})`, "g");
  inner.lastIndex = start;
  for (let match = inner.exec(text); match && match.index < limit; match = inner.exec(text)) {
    const at = match.index + match[0].length;
    const other = new RegExp(open, "y");
    other.lastIndex = at;
    const key = other.exec(text)?.[1].trim() ?? "";
    if (isNext(key, match[0] !== "") && !new RegExp(close).test(text.slice(at, limit))) {
      return { end: match.index, next: at };
    }
    // The match may be empty.
    inner.lastIndex = at + 1;
  }
  if (isClosed) return { end: closed.index, next: proper.lastIndex };
  if (call !== null) return { end: call.index, next: call.index };
  if (cut) return undefined;
  const first = new RegExp(String.raw`\s*(?:${ends}|(?:${next}))`, "g");
  first.lastIndex = start;
  const found = first.exec(text);
  if (found !== null) return { end: found.index, next: found.index };
  return { end: text.trimEnd().length, next: text.length };
}
