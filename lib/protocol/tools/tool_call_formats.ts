/**
 * How families of models write tool calls, and forced calls as data for constrained decoding.
 *
 * @module
 */
import { readGemmaCalls } from "./gemma_calls.ts";
import { argumentsAt, readBareJsonCalls, readJsonCalls } from "./json_calls.ts";
import { readFunctionMarkup, readInvokeMarkup, readKeyValueMarkup } from "./markup_calls.ts";
import { readPythonicCalls } from "./pythonic_calls.ts";
import { type AnswerPiece, readPieces, type ToolCallReader } from "./raw_tool_call.ts";
import type { ChatRequest, ToolDefinition } from "../chat/chat_request.ts";

/** A family's format. */
export type ToolCallFormat =
  /** `<tool_call>{"name", "arguments"}</tool_call>`: Hermes, Qwen. */
  | "hermes"
  /** `<tool_call><function=name><parameter=key>value</parameter></function></tool_call>`: Qwen's coding models. */
  | "function_markup"
  /** `<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>`: GLM. */
  | "key_value_markup"
  /** `[TOOL_CALLS][{"name", "arguments"}]` or `[TOOL_CALLS]name[ARGS]{…}`: Mistral. */
  | "mistral"
  /** `{"name", "parameters"}`, also behind `<|python_tag|>`: Llama 3. */
  | "llama"
  /** `[name(key=value)]`, also between marks: Llama 3.2 and 4, LFM2. */
  | "pythonic"
  /** `<|tool_call|>[{"name", "arguments"}]`: Granite. */
  | "granite"
  /** `<|tool_call|>[{"name", "arguments"}]<|/tool_call|>` or `functools[…]`: Phi. */
  | "phi"
  /** The same JSON behind other marks: Command R, Nemotron, Hunyuan, MiniMax, InternLM, GigaChat and others. */
  | "marked_json"
  /** `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}`, or the JSON fenced behind the name: DeepSeek. */
  | "deepseek"
  /** `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}`: Kimi. */
  | "kimi"
  /** `<invoke name="name"><parameter name="key">value</parameter></invoke>`: later MiniMax and DeepSeek. */
  | "invoke_markup"
  /** `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`: gpt-oss. */
  | "harmony"
  /** `<|tool_call>call:name{key:<|"|>value<|"|>}<tool_call|>`: Gemma 4 and FunctionGemma. */
  | "gemma";

const listMarks = /<tool_calls>|<TOOLCALL>|<\|START_ACTION\|>|<function_call>|<\|function_call\|>|<\|action_start\|>/;

const marks: readonly [ToolCallFormat, RegExp][] = [
  ["harmony", /<\|channel\|>(?:analysis|commentary|final)/],
  ["mistral", /\[TOOL_CALLS\]/],
  ["deepseek", /<｜tool▁call▁begin｜>/],
  ["kimi", /<\|tool_call_begin\|>/],
  ["invoke_markup", /<(?:\w+:)?invoke name=|DSML/],
  ["gemma", /<\|tool_call>|<start_function_call>/],
  ["key_value_markup", /<arg_key>/],
  ["function_markup", /<function=/],
  ["phi", /<\|\/tool_call\|>|functools\[/],
  ["granite", /<\|tool_call\|>/],
  ["pythonic", /<\|tool_call_start\|>|<\|python_start\|>|<\|tool_list_start\|>|\[func(?:_name1|tion_name)?\(/],
  ["marked_json", listMarks],
  ["hermes", /<tool_call>/],
  ["llama", /<\|python_tag\|>|"parameters":/],
];

/** The format that a chat template shows; that of Hermes when it shows none, and the model needs instructions. */
export function findToolCallFormat(template: string): ToolCallFormat {
  return marks.find(([, mark]) => mark.test(template))?.[0] ?? "hermes";
}

/** The reader of each format. */
export const toolCallReaders: Readonly<Record<ToolCallFormat, ToolCallReader>> = {
  hermes: (text) => readBareJsonCalls(text) ?? readJsonCalls(text, /<tool_call>/, /<\/tool_call>/),
  gemma: readGemmaCalls,
  // The recipient stands behind the channel or before it.
  harmony: (text) =>
    readNamedCalls(
      text,
      /(?:<\|channel\|>commentary\s*)?\bto=(?:functions\.)?([\w.-]+)\s*(?:<\|channel\|>commentary\s*)?(?:<\|constrain\|>)?(?:json)?\s*<\|message\|>\s*(?=\{)/,
      /\s*<\|(?:call|end)\|>/y,
    ),
  function_markup: readFunctionMarkup,
  key_value_markup: readKeyValueMarkup,
  mistral: readMistralCalls,
  llama: (text) => readBareJsonCalls(text) ?? readJsonCalls(text, /<\|python_tag\|>/, /<\|eom_id\|>/),
  pythonic: readPythonicCalls,
  granite: (text) => readJsonCalls(text, /<\|tool_call\|>|<tool_call>/, /<\/tool_call>/),
  marked_json: (text) =>
    readJsonCalls(
      text,
      new RegExp(`(?:${listMarks.source})(?:<\\|plugin\\|>)?`),
      /<\/tool_calls>|<\/TOOLCALL>|<\|END_ACTION\|>|<\|action_end\|>/,
    ),
  deepseek: (text) =>
    readNamedCalls(
      text,
      /(?:<｜tool▁calls▁begin｜>)?<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]+)(?:\s*```json\s*|<｜tool▁sep｜>\s*)(?=\{)/,
      /(?:\s*```)?\s*<｜tool▁call▁end｜>(?:\s*<｜tool▁calls▁end｜>)?/y,
    ),
  kimi: (text) =>
    readNamedCalls(
      text,
      /(?:<\|tool_calls_section_begin\|>)?<\|tool_call_begin\|>\s*(?:functions\.)?([\w.-]+?)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*(?=\{)/,
      /\s*<\|tool_call_end\|>(?:\s*<\|tool_calls_section_end\|>)?/y,
    ),
  invoke_markup: readInvokeMarkup,
  phi: (text) => readJsonCalls(text, /<\|tool_call\|>|functools(?=\[)/, /<\|\/tool_call\|>/),
};

/** Calls that consist of a name and its arguments in JSON. */
function readNamedCalls(text: string, open: RegExp, close: RegExp): AnswerPiece[] {
  return readPieces(text, open, (match, start) => {
    const found = argumentsAt(text, start);
    if (found === undefined) return undefined;
    close.lastIndex = found.end;
    const end = close.test(text) ? close.lastIndex : found.end;
    return { calls: [{ name: match[1], arguments: found.value }], textual: false, end };
  });
}

function readMistralCalls(text: string): AnswerPiece[] {
  const named = readPieces(
    text,
    /\[TOOL_CALLS\]\s*([\w.-]+)(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*(?=\{)/,
    (match, start) => {
      const found = argumentsAt(text, start);
      return found && { calls: [{ name: match[1], arguments: found.value }], textual: false, end: found.end };
    },
  );
  if (named.some((piece) => typeof piece !== "string")) return named;
  return readJsonCalls(text, /\[TOOL_CALLS\]/, /\[\/TOOL_CALLS\]/);
}

/** An answer of calls only: `open`, JSON that follows `schema`, `close`, at least once. */
export interface ToolConstraint {
  readonly open: string;
  readonly close: string;
  /** JSON Schema of what is between the marks. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Whether marks and JSON may be repeated. */
  readonly repeated: boolean;
  /** Where the functions stand in the client's request, in the order of the schema, for errors. */
  readonly paths?: readonly string[];
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
  const paths = tools.map(({ path = "tools" }) => path);
  const list = { type: "array", items: call, minItems: 1, ...parallelToolCalls ? {} : { maxItems: 1 } };
  switch (format) {
    case "hermes":
      return { open: "<tool_call>\n", close: "\n</tool_call>", schema: call, repeated: parallelToolCalls, paths };
    case "llama":
      return { open: "", close: "", schema: call, repeated: false, paths };
    case "mistral":
      return { open: "[TOOL_CALLS]", close: "", schema: list, repeated: false, paths };
    case "granite":
      return { open: "<|tool_call|>", close: "", schema: list, repeated: false, paths };
    case "phi":
      return { open: "<|tool_call|>", close: "<|/tool_call|>", schema: list, repeated: false, paths };
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
