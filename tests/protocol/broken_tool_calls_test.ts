import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatAnswer, type FinishedAnswer } from "../../lib/protocol/chat/chat_answer.ts";
import type { ToolDefinition } from "../../lib/protocol/chat/chat_request.ts";
import { readToolCalls } from "../../lib/protocol/tools/read_tool_calls.ts";
import { type ToolCallFormat, toolCallReaders } from "../../lib/protocol/tools/tool_call_formats.ts";

const tool = (name: string, properties: object, required: string[] = []): ToolDefinition => ({
  name,
  description: "",
  parameters: { type: "object", properties, required },
  strict: false,
});
const tools = [tool("f", { zip: {}, text: { type: "string" } }, ["zip", "never"]), tool("g", {})];

/** How a format writes a call: what is around its JSON, or around a name and its arguments. */
const jsonMarks: Partial<Record<ToolCallFormat, readonly [before: string, after: string]>> = {
  hermes: ["<tool_call>\n", "\n</tool_call>"],
  llama: ["<|python_tag|>", "<|eom_id|>"],
  granite: ["<|tool_call|>", ""],
  phi: ["<|tool_call|>", "<|/tool_call|>"],
  mistral: ["[TOOL_CALLS]", ""],
  marked_json: ["<TOOLCALL>", "</TOOLCALL>"],
};
const namedMarks: Partial<Record<ToolCallFormat, (name: string, json: string) => string>> = {
  mistral: (name, json) => `[TOOL_CALLS]${name}[ARGS]${json}`,
  deepseek: (name, json) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  kimi: (name, json) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${json}` +
    "<|tool_call_end|><|tool_calls_section_end|>",
  harmony: (name, json) => `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${json}<|call|>`,
  function_markup: (name, json) => `<tool_call>\n<function=${name}>${json}</function>\n</tool_call>`,
};
const elements: Partial<Record<ToolCallFormat, (name: string, key: string, value: string, close: string) => string>> = {
  function_markup: (name, key, value, close) =>
    `<tool_call>\n<function=${name}>\n<parameter=${key}>\n${value}\n${
      close && "</parameter>\n"
    }</function>\n</tool_call>`,
  key_value_markup: (name, key, value, close) =>
    `<tool_call>${name}\n<arg_key>${key}</arg_key>\n<arg_value>${value}${close && "</arg_value>"}\n</tool_call>`,
  invoke_markup: (name, key, value, close) =>
    `<minimax:tool_call>\n<invoke name="${name}">\n<parameter name="${key}">${value}${close && "</parameter>"}\n` +
    "</invoke>\n</minimax:tool_call>",
};

/** Arguments as models write them, and the JSON that the client gets; undefined for what cannot be read. */
const shapes: [string, string | undefined][] = [
  [
    '{"zip": 9007199254740993, "x": 1.0, "10": 1e3, "2": -0}',
    '{"zip": 9007199254740993, "x": 1.0, "10": 1e3, "2": -0}',
  ],
  ['{"text": "caf\\u00e9 \\/", "text": "b"}', '{"text": "caf\\u00e9 \\/", "text": "b"}'],
  ["{}", "{}"],
  ['""', "{}"],
  ["null", "{}"],
  ['"{\\"zip\\": 1.0}"', '{"zip": 1.0}'],
  ['{"zip": 1,}', '{"zip": 1}'],
  ['{"zip": [1, 2,], "x": {"y": 1,}}', '{"zip": [1, 2], "x": {"y": 1}}'],
  ['{"text": "a\nb\tc"}', '{"text": "a\\nb\\tc"}'],
  ["{'zip': True, 'text': 'it\\'s', 'x': [None]}", '{"zip": true, "text": "it\'s", "x": [null]}'],
  ["{zip: 1}", '{"zip": 1}'],
  ['{{"zip": 1}}', '{"zip": 1}'],
  ['{"zip": "</tool_call> <|call|> } ]"}', '{"zip": "</tool_call> <|call|> } ]"}'],
  ['{"zip": "a "b" c"}', undefined],
  ['{"zip": }', undefined],
  ["[1]", undefined],
  ["5", undefined],
];

interface Case {
  readonly format: ToolCallFormat;
  readonly text: string;
  /** The calls, as name and arguments. */
  readonly calls: readonly (readonly [string, string])[];
  readonly content?: string;
}

function* cases(): Generator<Case> {
  for (const [format, [before, after]] of Object.entries(jsonMarks) as [ToolCallFormat, [string, string]][]) {
    const call = (json: string, name = "f"): string => `{"name": "${name}", "arguments": ${json}}`;
    const one = (json: string): Case["calls"] => [["f", json]];
    const marked = (inner: string): string => before + inner + after;
    for (const [written, json] of shapes) {
      yield { format, text: marked(call(written)), calls: json === undefined ? [] : one(json) };
      yield {
        format,
        text: `Sure.\n${marked(call(written))}`,
        calls: json === undefined ? [] : one(json),
        content: "Sure.",
      };
    }
    const zip = '{"zip": 1.0}';
    yield { format, text: marked(`[${call(zip)}, ${call("{}", "g")}]`), calls: [["f", zip], ["g", "{}"]] };
    yield { format, text: marked(`[${call(zip)}, ${call("{broken", "g")}]`), calls: one(zip) };
    yield { format, text: marked(call(zip)) + marked(call("{broken", "g")), calls: one(zip) };
    yield { format, text: marked(call("{broken", "g")) + marked(call(zip)), calls: one(zip) };
    yield { format, text: marked('{"name": "f"}'), calls: one("{}") };
    yield { format, text: marked(`{"name": "f", "parameters": ${zip}}`), calls: one(zip) };
    yield { format, text: marked(`{"type": "function", "function": ${call(zip)}}`), calls: one(zip) };
    yield { format, text: marked(`{"name": "f", "arguments": ${zip}`), calls: one(zip) };
    yield { format, text: marked(`[{"name": "f", "arguments": ${zip}]`), calls: one(zip) };
    yield {
      format,
      text: marked(`[{"name": "f", "arguments": ${zip}, ${call("{}", "g")}]`),
      calls: [["f", zip], ["g", "{}"]],
    };
    yield { format, text: marked(`[${call(zip)}`), calls: one(zip) };
    yield { format, text: marked(`{"name": "f", "arguments": {"zip": {"a": 1.0}`), calls: one('{"zip": {"a": 1.0}}') };
    yield { format, text: marked(`${call(zip)}}`), calls: one(zip) };
    yield { format, text: marked(`${call(zip)}]}`), calls: one(zip) };
    yield { format, text: marked(`\`\`\`json\n${call(zip)}\n\`\`\``), calls: one(zip) };
    yield { format, text: `\`\`\`json\n${marked(call(zip))}\n\`\`\``, calls: one(zip) };
    yield {
      format,
      text: `\`\`\`\n${marked(call(zip))}\n${marked(call("{}", "g"))}\n\`\`\``,
      calls: [["f", zip], ["g", "{}"]],
    };
    yield { format, text: marked(call(zip, "functions.f")), calls: one(zip) };
    yield { format, text: marked(`{${call(zip)}}`), calls: one(zip) };
    yield { format, text: marked(call(zip).slice(1)), calls: one(zip) };
    yield { format, text: marked(call(`\`\`\`json\n${zip}\n\`\`\``)), calls: one(zip) };
    yield { format, text: marked(call(zip, "unknown")), calls: [] };
    yield { format, text: marked("{}"), calls: [] };
    yield { format, text: before, calls: [] };
  }
  for (const [format, marked] of Object.entries(namedMarks)) {
    for (const [written, json] of shapes) {
      const calls: Case["calls"] = json === undefined ? [] : [["f", json]];
      yield { format: format as ToolCallFormat, text: marked("f", written), calls };
      yield { format: format as ToolCallFormat, text: `Yes. ${marked("f", written)}`, calls, content: "Yes." };
    }
    const zip = '{"zip": 1.0}';
    const list = [
      [marked("f", zip) + marked("g", "{broken"), [["f", zip]]],
      [marked("g", "{broken") + marked("f", zip), [["f", zip]]],
      [marked("f", '{"zip": 1.0'), [["f", zip]]],
      [marked("f", `${zip}}`), [["f", zip]]],
      [marked("f", `\n\`\`\`json\n${zip}\n\`\`\``), [["f", zip]]],
      [`\`\`\`json\n${marked("f", zip)}\n\`\`\``, [["f", zip]]],
      [marked("g", ""), [["g", "{}"]]],
      [marked("unknown", zip), []],
    ] as const;
    for (const [text, calls] of list) yield { format: format as ToolCallFormat, text, calls };
  }
  for (const [format, marked] of Object.entries(elements)) {
    const [one, text] = [[["f", '{"zip": "5"}']], [["f", '{"text": "a\\n</b> \\"c\\""}']]] as const;
    const list = [
      [marked("f", "zip", "5", "yes"), one],
      [marked("f", "zip", "5", ""), one],
      [marked("f", "text", 'a\n</b> "c"', "yes"), text],
      [marked("f", "text", 'a\n</b> "c"', ""), text],
      [`\`\`\`xml\n${marked("f", "zip", "5", "yes")}\n\`\`\``, one],
      [marked("f", "zip", "5", "") + marked("f", "zip", "5", "yes"), [...one, ...one]],
      [marked("unknown", "zip", "5", "yes"), []],
    ] as const;
    for (const [text, calls] of list) yield { format: format as ToolCallFormat, text, calls };
  }
  const qwen = (inner: string, calls: Case["calls"]): Case => ({ format: "function_markup", text: inner, calls });
  const both = [["f", '{"zip": "5", "text": "6"}']] as const;
  yield qwen("<tool_call>\n<function=f>\n<parameter=zip>\n5\n<parameter=text>\n6\n</parameter>\n</function>", both);
  yield qwen("<tool_call>\n<function=f>\n<parameter=zip>\n5\n<parameter=text>\n6\n</function>\n</tool_call>", both);
  yield qwen("<function=f>\n<parameter=zip>\n5\n</parameter>\n<parameter=text>\n6\n</parameter>\n</tool_call>", both);
  yield qwen("<function=f>\n<parameter=zip>\n5\n</parameter>\n<parameter=text>\n6\n", both);
  const none = ["g", "{}"] as const;
  yield qwen("<function=f>\n<parameter=zip>5</parameter>\n<function=g>\n</function>", [["f", '{"zip": "5"}'], none]);
  const glm =
    "<tool_call>f<arg_key>zip</arg_key><arg_value>5<arg_key>text</arg_key><arg_value>6</arg_value></tool_call>";
  yield { format: "key_value_markup", text: glm, calls: both };
  yield { format: "hermes", text: '<tool_call>f\n{"zip": 1.0}\n</tool_call>', calls: [["f", '{"zip": 1.0}']] };
  yield qwen('<tool_call>\n{"name": "f", "arguments": {"zip": 1.0}}\n</tool_call>', [["f", '{"zip": 1.0}']]);
  yield {
    format: "invoke_markup",
    text: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">\n</｜DSML｜invoke>\n',
    calls: [["f", "{}"]],
  };
  const python: [string, Case["calls"]][] = [
    ["[f(zip=9007199254740993, text='a\nb')]", [["f", '{"zip": 9007199254740993, "text": "a\\nb"}']]],
    ["[f(zip=1.0, x=1e3, y=-0,)]", [["f", '{"zip": 1.0, "x": 1e3, "y": -0}']]],
    ["[f(zip=1.0]", [["f", '{"zip": 1.0}']]],
    ["[f(zip=1.0))]", [["f", '{"zip": 1.0}']]],
    ["[f(zip=[1.0)]", [["f", '{"zip": [1.0]}']]],
    ["[f(zip=1.0), g(]", [["f", '{"zip": 1.0}'], ["g", "{}"]]],
    ["[f(zip=1.0), g(x=?)]", [["f", '{"zip": 1.0}']]],
    ["[f(zip={'a': True})]", [["f", '{"zip": {"a": true}}']]],
    ["[f(1)]", []],
    ["```python\n[f(zip=1.0)]\n```", [["f", '{"zip": 1.0}']]],
  ];
  for (const [text, calls] of python) {
    yield { format: "pythonic", text, calls };
    yield { format: "pythonic", text: `Yes.<|tool_call_start|>${text}<|tool_call_end|>`, calls, content: "Yes." };
  }
  const gemma: [string, Case["calls"]][] = [
    ["{zip:9007199254740993,x:1.0,y:1e3}", [["f", '{"zip": 9007199254740993, "x": 1.0, "y": 1e3}']]],
    ['{zip:<|"|>a\nb<|"|>,}', [["f", '{"zip": "a\\nb"}']]],
    ["{zip:1.0", [["f", '{"zip": 1.0}']]],
    ["{zip:[1.0}", [["f", '{"zip": [1.0]}']]],
    ["{zip:1.0}}", [["f", '{"zip": 1.0}']]],
    ['{"zip": "a, b"}', [["f", '{"zip": "a, b"}']]],
    ["{zip:True,x:None}", [["f", '{"zip": true, "x": null}']]],
    ["", [["f", "{}"]]],
    ["{zip:}", []],
  ];
  for (const [text, calls] of gemma) {
    yield { format: "gemma", text: `<|tool_call>call:f${text}<tool_call|>`, calls };
    yield {
      format: "gemma",
      text: `Yes.<start_function_call>call:f${text}<end_function_call>`,
      calls,
      content: "Yes.",
    };
  }
}

const all = [...cases()];

test("what has one meaning is repaired, the rest is left out, and no mark is text", () => {
  for (const { format, text, calls, content = "" } of all) {
    const read = readToolCalls(text, format, tools, true);
    const found = { content: read.content, calls: read.calls.map((call) => [call.name, call.arguments]) };
    assert.deepEqual(found, { content, calls }, `${format}: ${text}`);
    for (const call of read.calls) JSON.parse(call.arguments);
    // A mark alone promises nothing.
    if (calls.length === 0) assert.equal(read.warnings.length, jsonMarks[format]?.[0] === text ? 0 : 1, text);
    const raw = toolCallReaders[format](text, { cut: false }).map((piece) =>
      typeof piece === "string" ? piece : piece.raw
    );
    assert.equal(raw.join(""), text);
  }
});

const tags = { open: "<think>", close: "</think>" };

/** The answer of tokens with these texts, and all that a stream of it shows. */
function answered(tokens: readonly string[], format: ToolCallFormat, reason: "stop" | "length", watched: boolean) {
  const answer = new ChatAnswer({
    request: { stop: [], tools, parallelToolCalls: true, includeReasoning: watched },
    prompt: { reasoningTags: tags, startsInReasoning: false, toolCallFormat: format },
    decode: (ids) => ids.map((id) => tokens[id]).join(""),
    newId: () => "0a1b2c3d",
  });
  const shown = tokens.map((_, id) => answer.push(id)).join("");
  const finished: FinishedAnswer = answer.finish(reason);
  return { shown: shown + finished.rest, finished };
}

test("a stream is the whole answer, wherever its tokens are cut", () => {
  for (const { format, text, content = "" } of all) {
    const whole = answered([text], format, "stop", false);
    assert.equal(whole.shown, whole.finished.message.content, text);
    assert.equal(whole.finished.message.content, content, text);
    for (let at = 1; at < text.length; at++) {
      const cut = answered([text.slice(0, at), text.slice(at)], format, "stop", at % 2 === 0);
      assert.equal(cut.shown, content, text);
      assert.deepEqual(cut.finished.message, whole.finished.message, `${text} at ${at}`);
    }
    assert.deepEqual(answered([...text], format, "stop", false), whole, text);
  }
});

test("an answer that is cut off shows nothing of a call, and ends with length", () => {
  for (const { format, text, content = "" } of all) {
    const full = readToolCalls(text, format, tools, true).calls;
    for (let at = 0; at <= text.length; at++) {
      const { finished, shown } = answered([text.slice(0, at)], format, "length", false);
      assert.equal(finished.finishReason, "length");
      assert.equal(shown, finished.message.content);
      // A fence may be an answer of its own; everything else is that of the whole answer.
      const isShown = content.startsWith(shown.trim()) || /^`{1,3}\w*\s*$/.test(shown);
      assert.ok(isShown, `${format} at ${at} of ${text}: ${JSON.stringify(shown)}`);
      const calls = finished.message.tool_calls ?? [];
      assert.ok(calls.length <= Math.max(full.length, 1), `${format} at ${at} of ${text}`);
      for (const [i, call] of calls.entries()) {
        if (full[i]?.name === call.function.name) JSON.parse(call.function.arguments);
      }
    }
  }
});
