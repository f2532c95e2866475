/**
 * How families of models write tool calls, and forced calls as data for constrained decoding.
 *
 * @module
 */
import { readGemmaCalls } from "./gemma_calls.ts";
import { argumentsAt, jsonCallsAt, readBareJsonCalls, readJsonCalls } from "./json_calls.ts";
import { functionCallAt, readFunctionMarkup, readInvokeMarkup, readKeyValueMarkup } from "./markup_calls.ts";
import { readPythonicCalls } from "./pythonic_calls.ts";
import {
  type AnswerPiece,
  type CallContext,
  type CallMarks,
  type FoundCalls,
  knownName,
  readPieces,
  type ToolCallReader,
} from "./raw_tool_call.ts";
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
  /** `{"name", "parameters"}`, also after `<|python_tag|>`: Llama 3. */
  | "llama"
  /** `[name(key=value)]`, also between marks: Llama 3.2 and 4, LFM2. */
  | "pythonic"
  /** `<|tool_call|>[{"name", "arguments"}]`: Granite. */
  | "granite"
  /** `<|tool_call|>[{"name", "arguments"}]<|/tool_call|>` or `functools[…]`: Phi. */
  | "phi"
  /** The same JSON after other marks: Command R, Nemotron, Hunyuan, MiniMax, InternLM, GigaChat and others. */
  | "marked_json"
  /** `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}`, or the JSON fenced after the name: DeepSeek. */
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

/** The marks of formats whose calls are JSON. */
const jsonMarks = {
  hermes: { open: /<tool_call>/, close: /<\/tool_call>/, texts: ["<tool_call>"], ends: ["</tool_call>"] },
  llama: {
    open: /<\|python_tag\|>|<function=/,
    close: /<\|eom_id\|>|<\/function>/,
    texts: ["<|python_tag|>"],
    ends: ["<|eom_id|>"],
  },
  granite: {
    open: /<\|tool_call\|>|<tool_call>/,
    close: /<\/tool_call>|<\|\/tool_call\|>/,
    texts: ["<|tool_call|>", "<tool_call>"],
    ends: ["</tool_call>"],
  },
  phi: {
    open: /<\|tool_call\|>|functools(?=\[)/,
    close: /<\|\/tool_call\|>/,
    texts: ["<|tool_call|>", "functools["],
    ends: ["<|/tool_call|>"],
  },
  marked_json: {
    open: new RegExp(`(?:${listMarks.source})(?:\\s*<\\|plugin\\|>)?`),
    close: /<\/tool_calls>|<\/TOOLCALL>|<\|END_ACTION\|>|<\|action_end\|>|<\/function_call>/,
    texts: [
      "<tool_calls>",
      "<TOOLCALL>",
      "<|START_ACTION|>",
      "<function_call>",
      "<|function_call|>",
      "<|action_start|><|plugin|>",
    ],
    ends: ["</tool_calls>", "</TOOLCALL>", "<|END_ACTION|>", "<|action_end|>"],
  },
} satisfies Partial<Record<ToolCallFormat, CallMarks>>;

/** The reader of each format. */
export const toolCallReaders: Readonly<Record<ToolCallFormat, ToolCallReader>> = {
  hermes: readJsonOrMarkup(jsonMarks.hermes),
  gemma: readGemmaCalls,
  // The recipient is after the channel or before it.
  harmony: readNamedCalls(
    {
      open:
        /(?:<\|channel\|>commentary\s*)?\bto=functions\.|<\|channel\|>commentary(?!<\|message\|>)|\bto=[\w.-]+\s*<\|/,
      close: /<\|(?:call|end)\|>/,
      texts: [
        "<|channel|>commentary",
        "<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
        "<|start|>assistant",
        "to=functions.",
      ],
      ends: ["<|call|>", "<|end|>"],
    },
    /(?:<\|channel\|>commentary\s*)?\bto=([\w.-]+)\s*(?:<\|channel\|>commentary\s*)?(?:<\|constrain\|>)?(?:json)?\s*<\|message\|>/,
  ),
  function_markup: readFunctionMarkup,
  key_value_markup: readKeyValueMarkup,
  mistral: readMistralCalls,
  llama: readJsonOrMarkup(jsonMarks.llama),
  pythonic: readPythonicCalls,
  granite: (text, context) => readJsonCalls(text, jsonMarks.granite, context),
  marked_json: (text, context) => readJsonCalls(text, jsonMarks.marked_json, context),
  deepseek: readNamedCalls(
    {
      open: /<｜tool▁calls▁begin｜>|<｜tool▁call▁begin｜>/,
      close: /<｜tool▁call▁end｜>(?:\s*<｜tool▁calls▁end｜>)?|<｜tool▁calls▁end｜>/,
      texts: ["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
      ends: ["<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"],
    },
    /(?:<｜tool▁calls▁begin｜>\s*)?<｜tool▁call▁begin｜>\s*(?:function<｜tool▁sep｜>)?([\w.-]+)\s*(?:<｜tool▁sep｜>)?/,
  ),
  kimi: readNamedCalls(
    {
      open: /<\|tool_calls_section_begin\|>|<\|tool_call_begin\|>/,
      close: /<\|tool_call_end\|>(?:\s*<\|tool_calls_section_end\|>)?|<\|tool_calls_section_end\|>/,
      texts: ["<|tool_calls_section_begin|>", "<|tool_call_begin|>"],
      ends: ["<|tool_call_end|>", "<|tool_calls_section_end|>"],
    },
    /(?:<\|tool_calls_section_begin\|>\s*)?<\|tool_call_begin\|>\s*([\w.-]+?)(?::\d+)?\s*(?:<\|tool_call_argument_begin\|>|(?=<\|tool_call_end))/,
  ),
  invoke_markup: readInvokeMarkup,
  phi: (text, context) => readJsonCalls(text, jsonMarks.phi, context),
};

/** Calls as JSON between marks or alone, or in the markup that models of the same families use. */
function readJsonOrMarkup(marks: CallMarks): ToolCallReader {
  return (text, context) =>
    readBareJsonCalls(text, context) ??
      readPieces(text, marks, context, ({ index }, start) =>
        jsonCallsAt(text, start, marks, context) ?? functionCallAt(text, index, context) ??
          namedCallAt(text, start, marks, context));
}

/** A call as a name and its arguments in JSON. */
function namedCallAt(text: string, start: number, marks: CallMarks, context: CallContext): FoundCalls | undefined {
  const head = /\s*([\w.-]+)\s*(?=\{)/y;
  head.lastIndex = start;
  const name = head.exec(text)?.[1];
  if (name === undefined || knownName(name, context) === undefined) return undefined;
  const given = argumentsAt(text, head.lastIndex, marks, context);
  return given && { calls: [{ name, arguments: given.json }], end: given.end };
}

/** Calls that consist of a name and its arguments in JSON. */
function readNamedCalls(marks: CallMarks, head: RegExp): ToolCallReader {
  return (text, context) =>
    readPieces(text, marks, context, ({ index }, start) => {
      const name = new RegExp(head.source, "y");
      name.lastIndex = index;
      const found = name.exec(text)?.[1];
      if (found === undefined) return jsonCallsAt(text, start, marks, context);
      const given = argumentsAt(text, name.lastIndex, marks, context);
      return given && { calls: [{ name: found, arguments: given.json }], end: given.end };
    });
}

function readMistralCalls(text: string, context: CallContext): AnswerPiece[] {
  const marks: CallMarks = { open: /\[TOOL_CALLS\]/, close: /\[\/TOOL_CALLS\]/, texts: ["[TOOL_CALLS]"], ends: [] };
  return readPieces(text, marks, context, (_, start) => {
    const head = /\s*([\w.-]+)(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?/y;
    head.lastIndex = start;
    const name = head.exec(text)?.[1];
    if (name === undefined) return jsonCallsAt(text, start, marks, context);
    const given = argumentsAt(text, head.lastIndex, marks, context);
    return given && { calls: [{ name, arguments: given.json }], end: given.end };
  });
}

/** An answer of calls only: `open`, JSON that follows `schema`, `close`, at least once. */
export interface ToolConstraint {
  readonly open: string;
  readonly close: string;
  /** JSON Schema of what is between the marks. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Whether marks and JSON may be repeated. */
  readonly repeated: boolean;
  /** The paths of the functions in the client's request, in the order of the schema, for errors. */
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
  const isOne = !parallelToolCalls || toolChoice.mode === "function";
  const list = { type: "array", items: call, minItems: 1, ...isOne ? { maxItems: 1 } : {} };
  switch (format) {
    case "hermes":
      return { open: "<tool_call>\n", close: "\n</tool_call>", schema: call, repeated: !isOne, paths };
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
