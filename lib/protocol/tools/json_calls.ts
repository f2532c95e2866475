/**
 * Tool calls written as JSON.
 *
 * @module
 */
import { type AnswerPiece, type FoundCalls, type RawToolCall, readPieces } from "./raw_tool_call.ts";
import { isObject, jsonEnd } from "../../json/json_text.ts";

/**
 * Reads calls after a mark: an object with a name and arguments, several of them, or an array of them. Ends are found
 * in the JSON and not by the closing mark, which may occur in an argument.
 *
 * @param open Marks before the calls.
 * @param close Marks after them, which may be missing.
 */
export function readJsonCalls(text: string, open: RegExp, close: RegExp): AnswerPiece[] {
  return readPieces(text, open, (_, start) => {
    const found = callsAt(text, start);
    if (found === undefined) return undefined;
    const closing = new RegExp(`\\s*(?:${close.source})`, "y");
    closing.lastIndex = found.end;
    return closing.test(text) ? { ...found, end: closing.lastIndex } : found;
  });
}

/** Calls of an answer that is pure JSON, as some models write them without a mark. */
export function readBareJsonCalls(text: string): AnswerPiece[] | undefined {
  const found = callsAt(text, 0);
  if (found === undefined || text.slice(found.end).trim() !== "") return undefined;
  return [{ raw: text, calls: found.calls, textual: false }];
}

/** The calls at a position, separated by space, commas or semicolons. */
function callsAt(text: string, start: number): FoundCalls | undefined {
  const calls: RawToolCall[] = [];
  let end = start;
  while (true) {
    const at = end + (/^[\s;,]*/.exec(text.slice(end, end + 64))?.[0].length ?? 0);
    const next = jsonEnd(text, at);
    const read = next === undefined ? undefined : asCalls(text.slice(at, next));
    if (next === undefined || read === undefined) break;
    calls.push(...read);
    end = next;
  }
  return calls.length === 0 ? undefined : { calls, textual: false, end };
}

function asCalls(json: string): RawToolCall[] | undefined {
  const value = parse(json);
  const calls = (Array.isArray(value) ? value : [value]).map(asCall);
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

function asCall(value: unknown): RawToolCall | undefined {
  if (!isObject(value)) return undefined;
  // `{"function": {"name": …, "arguments": …}}` is equivalent to what it wraps.
  const call = isObject(value.function) ? value.function : value;
  const given = call.arguments ?? call.parameters ?? {};
  const found = typeof given === "string" ? parse(given) : given;
  const name = call.name ?? call.tool_name;
  if (typeof name !== "string" || !isObject(found)) return undefined;
  return { name, arguments: found };
}

/** The arguments at a position, as a JSON object. */
export function argumentsAt(text: string, start: number): { value: Record<string, unknown>; end: number } | undefined {
  const end = jsonEnd(text, start);
  const value = end === undefined ? undefined : parse(text.slice(start, end));
  return end !== undefined && isObject(value) ? { value, end } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
