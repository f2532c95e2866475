/**
 * The tool calls of an answer.
 *
 * @module
 */
import type { ToolDefinition } from "../chat/chat_request.ts";
import type { RawToolCall } from "./raw_tool_call.ts";
import { type ToolCallFormat, toolCallReaders } from "./tool_call_formats.ts";

/** An answer with its calls removed. */
export interface ToolAnswer {
  /** The text around the calls. Rejected calls stay in it unmodified. */
  readonly content: string;
  readonly calls: readonly RawToolCall[];
}

/**
 * Extracts the calls from a whole answer. A call is accepted when its function is among the tools and every required
 * argument is present; the arguments are not validated against the schema.
 *
 * @param parallel Whether to accept more than the first call.
 *
 * @example
 * ```ts
 * import { readToolCalls } from "./read_tool_calls.ts";
 * const tools = [{ name: "add", description: "", parameters: { required: ["a"] }, strict: false }];
 * const answer = '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>';
 * console.assert(readToolCalls(answer, "hermes", tools, true).calls[0].arguments.a === 1);
 * ```
 */
export function readToolCalls(
  text: string,
  format: ToolCallFormat,
  tools: readonly ToolDefinition[],
  parallel: boolean,
): ToolAnswer {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const calls: RawToolCall[] = [];
  let content = "";
  for (const piece of toolCallReaders[format](text)) {
    const accepted = typeof piece === "string" ? [] : piece.calls.filter((call) => isAccepted(call, byName));
    if (typeof piece === "string" || accepted.length === 0) content += typeof piece === "string" ? piece : piece.raw;
    else calls.push(...(piece.textual ? accepted.map((call) => restore(call, byName.get(call.name))) : accepted));
  }
  if (calls.length === 0) return { content: text, calls };
  return { content: content.trim(), calls: parallel ? calls : calls.slice(0, 1) };
}

function isAccepted(call: RawToolCall, tools: ReadonlyMap<string, ToolDefinition>): boolean {
  const tool = tools.get(call.name);
  if (tool === undefined) return false;
  const { required } = tool.parameters;
  return !Array.isArray(required) || required.every((name) => Object.hasOwn(call.arguments, String(name)));
}

/** Text stays text where the schema says so; elsewhere it is parsed as JSON if possible. */
function restore({ name, arguments: given }: RawToolCall, tool: ToolDefinition | undefined): RawToolCall {
  const properties = tool?.parameters.properties as Record<string, { type?: unknown } | undefined> | undefined;
  const values = Object.entries(given).map(([key, value]) => {
    const type = properties !== undefined && Object.hasOwn(properties, key) ? properties[key]?.type : undefined;
    return [key, type === "string" ? value : parseOr(value)];
  });
  return { name, arguments: Object.fromEntries(values) };
}

function parseOr(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return value;
  }
}
