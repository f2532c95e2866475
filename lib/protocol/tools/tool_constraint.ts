/**
 * Forced tool calls, as data for constrained decoding.
 *
 * @module
 */
import type { ChatRequest, ToolDefinition } from "../chat/chat_request.ts";
import type { ToolCallFormat } from "./tool_call_formats.ts";

/** An answer of calls only: `open`, JSON that follows `schema`, `close`, at least once. */
export interface ToolConstraint {
  readonly open: string;
  readonly close: string;
  /** JSON Schema of what is between the marks. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Whether marks and JSON may be repeated. */
  readonly repeated: boolean;
}

/**
 * The constraint when calls are required; undefined when they are not, and for formats without JSON, which only get
 * instructions.
 */
export function toolConstraint(
  { tools, toolChoice, parallelToolCalls }: Pick<ChatRequest, "tools" | "toolChoice" | "parallelToolCalls">,
  format: ToolCallFormat,
): ToolConstraint | undefined {
  if (toolChoice.mode === "auto") return undefined;
  const call = anyOf(tools.map((tool) => callSchema(tool, format === "llama" ? "parameters" : "arguments")));
  const list = { type: "array", items: call, minItems: 1, ...parallelToolCalls ? {} : { maxItems: 1 } };
  switch (format) {
    case "hermes":
      return { open: "<tool_call>\n", close: "\n</tool_call>", schema: call, repeated: parallelToolCalls };
    case "llama":
      return { open: "", close: "", schema: call, repeated: false };
    case "mistral":
      return { open: "[TOOL_CALLS]", close: "", schema: list, repeated: false };
    case "granite":
      return { open: "<|tool_call|>", close: "", schema: list, repeated: false };
    case "phi":
      return { open: "<|tool_call|>", close: "<|/tool_call|>", schema: list, repeated: false };
    default:
      return undefined;
  }
}

function callSchema({ name, parameters }: ToolDefinition, key: string): Record<string, unknown> {
  return {
    type: "object",
    // References within the parameters are relative to the parameters.
    properties: { name: { const: name }, [key]: { $id: name, ...parameters } },
    required: ["name", key],
    additionalProperties: false,
  };
}

function anyOf(schemas: readonly Record<string, unknown>[]): Record<string, unknown> {
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}
