/**
 * Tool calls written as JSON.
 *
 * @module
 */
import { looseArguments, type LooseEnds, type LooseValue, looseValue } from "./loose_json.ts";
import {
  type AnswerPiece,
  type CallContext,
  type CallMarks,
  type FoundCalls,
  knownName,
  type RawToolCall,
  readPieces,
  skip,
} from "./raw_tool_call.ts";

/**
 * Reads calls after a mark: an object with a name and arguments, several of them, or an array of them. Ends are found
 * in the JSON and not by the closing mark, which may occur in an argument.
 */
export function readJsonCalls(text: string, marks: CallMarks, context: CallContext): AnswerPiece[] {
  return readPieces(text, marks, context, (_, start) => jsonCallsAt(text, start, marks, context));
}

/** A fence around code, with the name of its language. */
const FENCE = /\s*```[\w-]*[ \t]*(?=\s|[{["<])/y;

/** The calls after a mark, in a code fence or without one, up to and with the closing mark. */
export function jsonCallsAt(
  text: string,
  start: number,
  { open, close }: CallMarks,
  { cut }: CallContext,
): FoundCalls | undefined {
  const marks = endMarks(open, close);
  const calls: RawToolCall[] = [];
  let end = skip(text, start, FENCE);
  let broken = false;
  while (true) {
    const at = skip(text, end, /[\s;,[\]}]*/y);
    if (text[at] !== "{" && text[at] !== '"') break;
    const value = openValue(text, at, { marks, cut }) ?? looseValue(text, at, { marks, cut });
    const call = value && asCall(value);
    broken = call === undefined;
    end = value !== undefined && call !== undefined ? value.end : at;
    if (call === undefined) break;
    calls.push(call);
  }
  if (calls.length === 0) return undefined;
  return broken ? { calls, end, broken } : { calls, end: callEnd(text, end, close) };
}

/**
 * The arguments of a call whose name precedes them: an object, its text, or nothing.
 *
 * @returns their JSON text, and where the call ends
 */
export function argumentsAt(
  text: string,
  start: number,
  { open, close }: CallMarks,
  { cut }: CallContext,
): { readonly json: string; readonly end: number } | undefined {
  const marks = endMarks(open, close);
  const at = skip(text, skip(text, start, FENCE), /\s*/y);
  const value = looseValue(text, at, { marks, cut });
  marks.lastIndex = at;
  // Without a value there are no arguments, if the call ends here.
  if (value === undefined && !(at >= text.length ? !cut : marks.test(text))) return undefined;
  const json = looseArguments(value);
  return json === undefined ? undefined : { json, end: callEnd(text, value?.end ?? at, close) };
}

/** A call without its first brace. */
function openValue(text: string, at: number, ends: LooseEnds): LooseValue | undefined {
  if (skip(text, at, /"(?:name|tool_name)"\s*:/y) === at) return undefined;
  const value = looseValue(`{${text.slice(at)}`, 0, ends);
  return value && { ...value, end: at + value.end - 1 };
}

/** A mark or a fence after which there is no value. */
function endMarks(open: RegExp, close: RegExp): RegExp {
  return new RegExp(`(?:${open.source})|(?:${close.source})|\`\`\``, "y");
}

/** The end of surplus brackets, the end of a fence and the closing mark. */
function callEnd(text: string, end: number, close: RegExp): number {
  const brackets = skip(text, end, /(?:[\s;,]*[\]}])*(?:[\s;,]+$)?/y);
  const fence = skip(text, brackets, /\s*(?:```(?![\w-])|`{1,2}$)/y);
  return skip(text, fence, new RegExp(`\\s*(?:${close.source})`, "y"));
}

/**
 * Calls of an answer that is pure JSON, as some models write them without a mark: all of it, in a code fence or without
 * one. JSON that names no function is text.
 */
export function readBareJsonCalls(text: string, context: CallContext): AnswerPiece[] | undefined {
  const start = skip(text, 0, FENCE);
  if (!/^[\s[]*\{/.test(text.slice(start))) return undefined;
  const found = jsonCallsAt(text, start, { open: /$^/, close: /$^/, texts: [], ends: [] }, context);
  if (found?.calls.every(({ name }) => knownName(name, context) !== undefined)) {
    const { calls, broken = false } = found;
    const rest = broken ? "" : text.slice(found.end);
    if (rest.trim() === "" && (!broken || context.tools !== undefined)) return [{ raw: text, calls, broken }];
    if (context.tools !== undefined) return [{ raw: text.slice(0, found.end), calls, broken }, rest];
  }
  return beginsCall(text.slice(start), context) ? [{ raw: text, calls: [], broken: true }] : undefined;
}

/** Whether a text begins with a call of one of the functions, which is broken or cut off. */
function beginsCall(text: string, context: CallContext): boolean {
  const { tools, cut } = context;
  const named = /^[\s[]*\{\s*"(?:name|tool_name)"\s*:\s*"([\w.:/-]*)(")?/.exec(text);
  if (tools === undefined) return false;
  if (named?.[2] !== undefined) return knownName(named[1], context) !== undefined && (cut || isObjectOnly(text));
  if (!cut) return false;
  if (named !== null) return [...tools.keys()].some((name) => name.startsWith(named[1]));
  return '{"name":"'.startsWith(text.replaceAll(/\s/g, "").replace(/^\[/, ""));
}

/** Whether nothing but more members follows a name: an object with a name may also be said about. */
function isObjectOnly(text: string): boolean {
  return /^[\s[]*\{\s*"(?:name|tool_name)"\s*:\s*"[^"]*"\s*,\s*"(?:arguments|parameters)"\s*:/.test(text);
}

function asCall(value: LooseValue, nesting = 0): RawToolCall | undefined {
  if (value.kind === "string" && nesting < 2) {
    const inner = looseValue(value.text.trim(), 0);
    return inner && asCall(inner, nesting + 1);
  }
  if (value.kind !== "object") return undefined;
  const members = new Map(value.members);
  // `{"function": {"name": …, "arguments": …}}` is equivalent to what it wraps.
  const inner = members.get("function") ?? members.get("tool_call");
  if (inner?.kind === "object" && nesting < 2) return asCall(inner, nesting + 1);
  const name = members.get("name") ?? members.get("tool_name") ?? inner;
  const json = looseArguments(members.get("arguments") ?? members.get("parameters") ?? members.get("args"));
  return name?.kind === "string" && json !== undefined ? { name: name.text.trim(), arguments: json } : undefined;
}
