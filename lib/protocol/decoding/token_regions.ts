/**
 * The region of an answer that each token belongs to.
 *
 * @module
 */
import type { RenderedPrompt } from "../templates/chat_template.ts";
import type { TokenRegion } from "../chat/chat_wire.ts";
import { jsonEnd } from "../../json/json_text.ts";
import type { RawToolCall } from "../tools/raw_tool_call.ts";
import { findReasoningSpans } from "../reasoning/reasoning_splitter.ts";
import { toolCallReaders } from "../tools/tool_call_formats.ts";

/**
 * The region of each token: that of its first character.
 *
 * @param texts The text that each token adds to the answer, such as the values of {@linkcode IncrementalDecoder.push}.
 * @param hasTools Whether to look for calls.
 */
export function tokenRegions(
  texts: readonly string[],
  prompt: Omit<RenderedPrompt, "text">,
  hasTools: boolean,
): TokenRegion[] {
  const text = texts.join("");
  const regions = new Array<TokenRegion>(text.length).fill("markup");
  for (const { start, end, kind } of findReasoningSpans(text, prompt.reasoningTags, prompt.startsInReasoning)) {
    if (kind === "reasoning") regions.fill("reasoning", start, end);
    else if (kind === "said") paintSaid(regions, text.slice(start, end), start, hasTools ? prompt : undefined);
  }
  let at = 0;
  return texts.map((piece) => {
    const region = regions[at] ?? "unknown";
    at += piece.length;
    return region;
  });
}

function paintSaid(
  regions: TokenRegion[],
  said: string,
  start: number,
  prompt: Omit<RenderedPrompt, "text"> | undefined,
): void {
  let at = start;
  for (const piece of prompt === undefined ? [said] : toolCallReaders[prompt.toolCallFormat](said, { cut: false })) {
    if (typeof piece === "string") paintVisible(regions, piece, at);
    else paintCalls(regions, piece.raw, piece.calls, at);
    at += typeof piece === "string" ? piece.length : piece.raw.length;
  }
}

function paintVisible(regions: TokenRegion[], text: string, start: number): void {
  regions.fill("visible", start, start + text.length);
  for (const { index, 0: { length } } of text.matchAll(/```[\s\S]*?(?:```|$)/g)) {
    regions.fill("code", start + index, start + index + length);
  }
}

/** Marks names and arguments; the remainder stays markup. */
function paintCalls(regions: TokenRegion[], raw: string, calls: readonly RawToolCall[], start: number): void {
  let at = 0;
  calls.forEach(({ name }, i) => {
    const from = raw.indexOf(name, at);
    at = from + name.length;
    regions.fill("tool_name", start + from, start + at);
    const next = i + 1 < calls.length ? raw.indexOf(calls[i + 1].name, at) : raw.length;
    for (const [begin, end] of argumentSpans(raw, at, next)) {
      regions.fill("tool_argument", start + begin, start + end);
      at = Math.max(at, end);
    }
  });
}

/** The arguments of a call: a JSON object, the values of elements, or what is in parentheses. */
function argumentSpans(raw: string, start: number, limit: number): [number, number][] {
  const behind = raw.slice(start, limit);
  const key = /"(?:arguments|parameters)"\s*:\s*"?(?=\{)|\[ARGS\]\s*(?=\{)|^\s*(?=\{)/.exec(behind);
  if (key) {
    const begin = start + key.index + key[0].length;
    const end = jsonEnd(raw, begin);
    return end === undefined ? [] : [[begin, end]];
  }
  const elements: [number, number][] = [];
  const marks = /<parameter=[^<>]*>\n?|<arg_value>|(\n?<\/(?:parameter|arg_value)>)/g;
  let begin: number | undefined;
  for (const { 0: mark, 1: close, index } of behind.matchAll(marks)) {
    if (close === undefined) begin ??= start + index + mark.length;
    else if (begin !== undefined) {
      elements.push([begin, start + index]);
      begin = undefined;
    }
  }
  if (elements.length > 0) return elements;
  const close = behind.lastIndexOf(")");
  return behind.startsWith("(") && close > 0 ? [[start + 1, start + close]] : [];
}
