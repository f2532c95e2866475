/**
 * The tool calls of an answer.
 *
 * @module
 */
import type { ToolChoice, ToolDefinition } from "../chat/chat_request.ts";
import { show } from "../../errors/show.ts";
import { looseArguments, wholeLooseValue } from "./loose_json.ts";
import { type AnswerPiece, type CallContext, knownName, type RawToolCall } from "./raw_tool_call.ts";
import { type ToolCallFormat, toolCallReaders } from "./tool_call_formats.ts";

/** An answer with its calls removed. */
export interface ToolAnswer {
  /** The text around the calls, without any mark of a call. */
  readonly content: string;
  readonly calls: readonly RawToolCall[];
  /** What was left out, one sentence each, in ASCII. */
  readonly warnings: readonly string[];
}

/** What reading calls depends on, besides the text. */
interface ToolReading {
  /** A named function is called once, whatever the model writes. */
  readonly toolChoice?: ToolChoice | undefined;
  /** Whether the answer was cut off, by its limit or a stop string: then an unfinished call is left out. */
  readonly cut?: boolean;
}

/**
 * Extracts the calls from a whole answer. A call is accepted when its function is among the tools; its arguments are the
 * model's own text and are not validated. What has one meaning only is repaired, and what cannot be read is left out.
 *
 * @param parallel Whether to accept more than the first call.
 *
 * @example
 * ```ts
 * import { readToolCalls } from "./read_tool_calls.ts";
 * const tools = [{ name: "add", description: "", parameters: { required: ["a"] }, strict: false }];
 * const answer = '<tool_call>{"name": "add", "arguments": {"a": 1.0}}</tool_call>';
 * console.assert(readToolCalls(answer, "hermes", tools, true).calls[0].arguments === '{"a": 1.0}');
 * ```
 */
export function readToolCalls(
  text: string,
  format: ToolCallFormat,
  tools: readonly ToolDefinition[],
  parallel: boolean,
  { toolChoice, cut = false }: ToolReading = {},
): ToolAnswer {
  const context: CallContext = { tools: new Map(tools.map((tool) => [tool.name, tool])), cut };
  const pieces = toolCallReaders[format](text, context);
  const given = pieces.flatMap((piece) => typeof piece === "string" ? [] : piece.calls);
  const known = given.flatMap((call) => {
    const name = knownName(call.name, context);
    return name === undefined ? [] : [{ ...call, name }];
  });
  const broken = pieces.filter((piece) => typeof piece !== "string" && piece.broken).length;
  const unknown = given.filter(({ name }) => knownName(name, context) === undefined).map(({ name }) => name);
  const some = broken === 1 ? "a call" : `${broken} calls`;
  const warnings = [
    ...broken === 0 ? [] : [`Left out ${some} of the answer that ${cut ? "was cut off or " : ""}could not be read`],
    ...unknown.length === 0 ? [] : [`Left out calls of unknown functions: ${unknown.slice(0, 8).map(show).join(", ")}`],
  ];
  const isNamed = toolChoice?.mode === "function";
  const only = isNamed && known.length === 0 && !cut ? namedCall(text, toolChoice.name) : undefined;
  if (only !== undefined) return { content: "", calls: [only], warnings: [] };
  const content = pieces.every((piece) => typeof piece === "string") ? text : contentOf(pieces).trim();
  return { content, calls: parallel && !isNamed ? known : known.slice(0, 1), warnings };
}

/** The arguments of a function that is called anyway, where a model writes nothing else. */
function namedCall(text: string, name: string): RawToolCall | undefined {
  const value = wholeLooseValue(withoutFence(text.trim()));
  const isCall = value?.members.some(([key]) => key === "name" || key === "arguments" || key === "parameters");
  return value?.kind === "object" && !isCall ? { name, arguments: looseArguments(value) ?? "{}" } : undefined;
}

function withoutFence(text: string): string {
  const isFenced = text.startsWith("```") && text.endsWith("```") && text.length > 6;
  return isFenced ? text.slice(3, -3).replace(/^\w+/, "") : text;
}

const FENCE_BEFORE = /(?:^|\n)[ \t]*```[\w-]*\s*$/;

/** The text around calls; a code fence around nothing but calls belongs to them. */
function contentOf(pieces: readonly AnswerPiece[]): string {
  let content = "";
  let isFenced = false;
  let fences = 0;
  for (const [i, piece] of pieces.entries()) {
    if (typeof piece !== "string") continue;
    let text = piece;
    if (isFenced && text.trim() !== "") {
      text = text.replace(/^\s*```(?![\w-])[ \t]*/, "");
      isFenced = false;
    }
    const isBeforeCall = i + 1 < pieces.length;
    fences += text.split("```").length - 1;
    if (isBeforeCall && fences % 2 === 1 && FENCE_BEFORE.test(text)) {
      text = text.replace(FENCE_BEFORE, "");
      fences--;
      isFenced = true;
    }
    content += text;
  }
  return content;
}
