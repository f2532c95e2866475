import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChatAnswer } from "../../lib/protocol/chat/chat_answer.ts";
import type { ToolDefinition } from "../../lib/protocol/chat/chat_request.ts";
import { findReasoningTags, type ReasoningTags } from "../../lib/protocol/reasoning/reasoning_tags.ts";
import { readToolCalls } from "../../lib/protocol/tools/read_tool_calls.ts";
import {
  findToolCallFormat,
  type ToolCallFormat,
  toolCallReaders,
} from "../../lib/protocol/tools/tool_call_formats.ts";

const tool = (name: string, parameters: Record<string, unknown> = {}): ToolDefinition => ({
  name,
  description: "",
  parameters,
  strict: false,
});
const add = tool("add", {
  properties: { a: { type: "number" }, label: { type: "string" }, list: { type: "array" } },
  required: ["a"],
});
const tools = [add, tool("now")];
/** The calls of an answer with parsed arguments, which are a JSON text of an object. */
const read = (format: ToolCallFormat, text: string, parallel = true) => {
  const { content, calls } = readToolCalls(text, format, tools, parallel);
  return { content, calls: calls.map(({ name, arguments: given }) => ({ name, arguments: JSON.parse(given) })) };
};
const one = { name: "add", arguments: { a: 1, label: "7" } };
const now = { name: "now", arguments: {} };
const json = '{"name": "add", "arguments": {"a": 1, "label": "7"}}';

const table: [ToolCallFormat, string, string, unknown[]][] = [
  ["hermes", `<tool_call>\n${json}\n</tool_call>`, "", [one]],
  ["hermes", `Sure.\n<tool_call>${json}</tool_call>\n<tool_call>{"name":"now"}</tool_call>`, "Sure.", [one, now]],
  ["hermes", `<tool_call>\n${json}`, "", [one]],
  ["hermes", `<tool_call>{"name": "add", "arguments": "{\\"a\\": 1, \\"label\\": \\"7\\"}"}</tool_call>`, "", [one]],
  ["llama", '{"name": "add", "parameters": {"a": 1, "label": "7"}}', "", [one]],
  ["llama", '<|python_tag|>{"name": "add", "parameters": {"a": 1, "label": "7"}}; {"name": "now"}<|eom_id|>', "", [
    one,
    now,
  ]],
  ["pythonic", "[add(a=1, label='7'), now()]", "", [one, now]],
  ["pythonic", '<|tool_call_start|>[add(a=1, label="7")]<|tool_call_end|>done', "done", [one]],
  ["mistral", `[TOOL_CALLS][${json}, {"name": "now", "arguments": {}}]`, "", [one, now]],
  ["mistral", '[TOOL_CALLS]add[ARGS]{"a": 1, "label": "7"}[TOOL_CALLS]now{}', "", [one, now]],
  ["granite", `<|tool_call|>[${json}]`, "", [one]],
  ["granite", `<tool_call>[${json}]`, "", [one]],
  ["phi", `<|tool_call|>[${json}]<|/tool_call|>`, "", [one]],
  ["phi", `functools[${json}]`, "", [one]],
  ["marked_json", `<tool_calls>[${json}, {"name": "now"}]</tool_calls>`, "", [one, now]],
  ["marked_json", `<tool_calls>\n${json}\n{"name": "now"}\n</tool_calls>`, "", [one, now]],
  ["marked_json", `Yes.<TOOLCALL>[${json}]</TOOLCALL>`, "Yes.", [one]],
  ["marked_json", '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "now", "parameters": {}}]<|END_ACTION|>', "", [
    now,
  ]],
  ["marked_json", `<|action_start|><|plugin|>\n${json}<|action_end|>`, "", [one]],
  ["marked_json", `<function_call> ${json}\n<function_call> {"name": "now"}`, "", [one, now]],
  [
    "deepseek",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n" +
    '{"a": 1, "label": "7"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```' +
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "",
    [one, now],
  ],
  ["deepseek", '<｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 1, "label": "7"}<｜tool▁call▁end｜>', "", [one]],
  [
    "kimi",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>" +
    '{"a": 1, "label": "7"}<|tool_call_end|><|tool_calls_section_end|>',
    "",
    [one],
  ],
  [
    "invoke_markup",
    '<minimax:tool_call>\n<invoke name="add">\n<parameter name="a">1</parameter>\n<parameter name="label">7</parameter>' +
    '\n</invoke>\n<invoke name="now">\n</invoke>\n</minimax:tool_call>',
    "",
    [one, now],
  ],
  [
    "invoke_markup",
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="add">\n<｜DSML｜parameter name="a" string="false">1</｜DSML｜parameter>\n' +
    '<｜DSML｜parameter name="label" string="true">7</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    "",
    [one],
  ],
  [
    "function_markup",
    "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=label>\n7\n</parameter>\n</function>\n" +
    "</tool_call>",
    "",
    [one],
  ],
  ["function_markup", "<function=now>\n</function>", "", [now]],
  ["function_markup", '<function=add>{"a": 1, "label": "7"}</function><function=now>{}</function>', "", [one, now]],
  ["hermes", `[${json}, {"name": "now", "arguments": {}}]`, "", [one, now]],
  ["harmony", '<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a": 1, "label": "7"}<|call|>', "", [
    one,
  ]],
  ["harmony", 'Yes. to=functions.add<|channel|>commentary json<|message|>{"a": 1, "label": "7"}', "Yes.", [one]],
  ["gemma", '<|tool_call>call:add{a:1,label:<|"|>7<|"|>}<tool_call|><|tool_call>call:now{}<tool_call|>', "", [
    one,
    now,
  ]],
  ["gemma", "Yes.<start_function_call>call:add{a:1,label:<escape>7<escape>}<end_function_call>", "Yes.", [one]],
  [
    "key_value_markup",
    "<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n<arg_key>label</arg_key>\n" +
    "<arg_value>7</arg_value>\n</tool_call>",
    "",
    [one],
  ],
];

for (const [format, text, content, calls] of table) {
  test(`readToolCalls() reads ${format} calls in ${JSON.stringify(text.slice(0, 48))}`, () => {
    assert.deepEqual(read(format, text), { content, calls });
  });
}

test("readToolCalls() reads closing marks within arguments as text", () => {
  const label = 'a </tool_call> " } ] </parameter> b </function>';
  const call = { name: "add", arguments: { a: 1, label } };
  assert.deepEqual(read("hermes", `<tool_call>${JSON.stringify(call)}</tool_call>`).calls, [call]);
  const markup = `<function=add><parameter=a>1</parameter><parameter=label>${label}</parameter></function>`;
  assert.deepEqual(read("function_markup", markup).calls, [call]);
});

test("readToolCalls() leaves out what cannot be read and unknown functions, and says so", () => {
  for (
    const call of ['{"name": "mul", "arguments": {"a": 1}}', "{broken", "[]", "", '{"name": "add", "arguments": 5}']
  ) {
    const text = `Well <tool_call>${call}</tool_call>`;
    assert.deepEqual(read("hermes", text), { content: "Well", calls: [] }, call);
    assert.equal(readToolCalls(text, "hermes", tools, true).warnings.length, 1, call);
  }
  assert.match(readToolCalls("<tool_call>{}</tool_call>", "hermes", tools, true).warnings[0], /^Left out a call /);
  assert.deepEqual(read("llama", '{"a": 1}'), { content: '{"a": 1}', calls: [] });
  assert.deepEqual(read("llama", '{"name": "Ann", "age": 1}'), { content: '{"name": "Ann", "age": 1}', calls: [] });
  assert.deepEqual(read("pythonic", "[see(1)] "), { content: "[see(1)] ", calls: [] });
  assert.deepEqual(read("pythonic", "[add(1)] "), { content: "", calls: [] });
});

test("readToolCalls() gives calls without required arguments to the client", () => {
  const call = { name: "add", arguments: {} };
  assert.deepEqual(read("hermes", '<tool_call>{"name": "add", "arguments": {}}</tool_call>').calls, [call]);
  assert.deepEqual(read("function_markup", "<function=add>\n</function>").calls, [call]);
});

test("readToolCalls() keeps prose about a mark, without the mark", () => {
  assert.equal(
    read("hermes", "Write `<tool_call>` before a call, I think.").content,
    "Write `` before a call, I think.",
  );
  assert.equal(read("hermes", "No </tool_call> here").content, "No </tool_call> here");
});

test("readToolCalls() calls a named function once", () => {
  const toolChoice = { mode: "function", name: "add" } as const;
  const named = (text: string) => readToolCalls(text, "hermes", [add], true, { toolChoice });
  const call = { name: "add", arguments: '{"a": 1.0}' };
  const written = '<tool_call>{"name": "add", "arguments": {"a": 1.0}}</tool_call>';
  for (const text of [written, written + written, '{"a": 1.0}', '```json\n{"a": 1.0}\n```']) {
    assert.deepEqual(named(text), { content: "", calls: [call], warnings: [] }, text);
  }
  assert.deepEqual(named("I will not.").calls, []);
});

// @row model-api > Chat request > `parallel_tool_calls`
test("readToolCalls() takes only the first call when calls are not parallel", () => {
  const text = `<tool_call>${json}</tool_call><tool_call>{"name":"now"}</tool_call>`;
  assert.deepEqual(read("hermes", text, false).calls, [one]);
});

test("readToolCalls() restores values other than text by the schema", () => {
  const parameters = { list: "[1, 2]", label: "[1, 2]", other: "true", a: "1.5" };
  const elements = Object.entries(parameters).map(([key, value]) => `<parameter=${key}>${value}</parameter>`).join(
    "\n",
  );
  const [call] = read("function_markup", `<function=add>${elements}</function>`).calls;
  assert.deepEqual(call.arguments, { list: [1, 2], label: "[1, 2]", other: true, a: 1.5 });
  const text = read("function_markup", "<function=add><parameter=a>one</parameter></function>").calls[0];
  assert.deepEqual(text.arguments, { a: "one" });
});

test("readToolCalls() reads every Python literal", () => {
  const text = String.raw`[add(a=-1.5e2, list=[True, None, {'k': (1, "x\ny\u00e9")}], label="it's")]`;
  assert.deepEqual(read("pythonic", text).calls[0].arguments, {
    a: -150,
    list: [true, null, { k: [1, "x\nyé"] }],
    label: "it's",
  });
  assert.deepEqual(read("pythonic", "[add(a=1").calls, [{ name: "add", arguments: { a: 1 } }]);
  for (const bad of ["[add(a=)]", "[add(a=x)]", `[add(a=${"[".repeat(10000)})]`]) {
    assert.deepEqual(read("pythonic", bad).calls, []);
  }
});

test("readToolCalls() reads nested values of Gemma, and leaves other text unchanged", () => {
  const text = '<|tool_call>call:add{a:-1.5,list:[<|"|>x, {y}<|"|>,true,None,{k:{z:[]}}],label:<|"|><|"|>}<tool_call|>';
  const list = ["x, {y}", true, null, { k: { z: [] } }];
  assert.deepEqual(read("gemma", text).calls, [{ name: "add", arguments: { a: -1.5, list, label: "" } }]);
  assert.deepEqual(read("gemma", "<|tool_call>call:add{a:1<tool_call|>").calls, [{ name: "add", arguments: { a: 1 } }]);
  for (const bad of ["{a:}", "{a}", `{a:${"[".repeat(10000)}}`]) {
    assert.deepEqual(read("gemma", `<|tool_call>call:add${bad}<tool_call|>`).calls, [], bad);
  }
});

test("readToolCalls() keeps every letter of whatever a model writes", () => {
  const marks = ["<tool_call>", "</tool_call>", "[TOOL_CALLS]", "<|tool_call|>", "<function=add>", "</function>"];
  const more = [
    "<parameter=a>",
    "</parameter>",
    '<invoke name="add">',
    '<parameter name="a">',
    "</invoke>",
    "<｜tool▁call▁begin｜>add<｜tool▁sep｜>",
    "<tool_calls>",
    "<|tool_call>call:add{a:1}",
    "<arg_key>",
    "functools[",
    "<|python_tag|>",
    '{"name":"add"',
    "}",
    "]",
  ];
  const word = fc.constantFrom(...marks, ...more, json, "[", "{", '"', "\\", "add", "(", ")", "a=1", "\n", " ");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      for (const format of Object.keys(toolCallReaders) as ToolCallFormat[]) {
        const text = words.join("");
        const raw = toolCallReaders[format](text, { cut: false }).map((piece) =>
          typeof piece === "string" ? piece : piece.raw
        );
        assert.equal(raw.join(""), text, format);
      }
    }),
    { seed: 6, numRuns: 500 },
  );
});

/** Everything that an answer of these tokens, so many bytes each, turns into. */
function answered(text: string, format: ToolCallFormat, reasoningTags: ReasoningTags, width: number) {
  const bytes = new TextEncoder().encode(text);
  const tokens = Array.from({ length: Math.ceil(bytes.length / width) }, (_, i) => i);
  const answer = new ChatAnswer({
    request: { stop: [], tools, parallelToolCalls: true, includeReasoning: true },
    prompt: { reasoningTags, startsInReasoning: false, toolCallFormat: format },
    decode: (ids) => {
      const parts = ids.flatMap((id) => [...bytes.subarray(id * width, (id + 1) * width)]);
      return new TextDecoder().decode(Uint8Array.from(parts));
    },
    newId: () => "0a1b2c3d",
  });
  let [shown, thought] = ["", ""];
  for (const id of tokens) {
    shown += answer.push(id);
    thought += answer.takeReasoning();
  }
  const { rest, message, finishReason } = answer.finish("stop");
  return { shown: shown + rest, thought: thought + answer.takeReasoning(), message, finishReason };
}

test("calls after reasoning are the same however tokens cut their bytes", () => {
  for (const [format, text, content, calls] of table) {
    const tags = findReasoningTags(format === "harmony" ? "<|channel|>analysis" : "<think></think>");
    const behind = format === "harmony" ? "<|start|>assistant" : "";
    const written = `${tags.open}é 😀?${tags.close}${behind}${text}`;
    const whole = answered(written, format, tags, 1e6);
    assert.equal(whole.message.reasoning_content, "é 😀?", written);
    assert.equal(whole.message.content, content, written);
    assert.equal(whole.message.tool_calls?.length, calls.length, written);
    for (const width of [1, 2, 3, 5]) {
      assert.deepEqual(answered(written, format, tags, width), whole, `${width} bytes a token of ${written}`);
    }
    assert.deepEqual([whole.shown, whole.thought, whole.finishReason], [content, "é 😀?", "tool_calls"], written);
  }
});

test("findToolCallFormat() recognises the family by its template", () => {
  const expected: [string, ToolCallFormat][] = [
    ["{{ '<tool_call>' }}", "hermes"],
    ["<tool_call><function=x>", "function_markup"],
    ["<tool_call>{{ n }}<arg_key>", "key_value_markup"],
    ["[TOOL_CALLS]", "mistral"],
    ['{"name": x, "parameters": y}', "llama"],
    ["<|tool_call_start|>", "pythonic"],
    ["<|tool_call|>", "granite"],
    ["<|tool_call|>x<|/tool_call|>", "phi"],
    ["<tool_calls>[", "marked_json"],
    ["<|START_ACTION|>", "marked_json"],
    ["<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>", "deepseek"],
    ["<|tool_call_begin|>", "kimi"],
    ['<invoke name="{{ n }}">', "invoke_markup"],
    ["[func_name1(params_name1=x)]", "pythonic"],
    ["<|tool_list_start|>", "pythonic"],
    ["{{ '<|tool_call>call:' }}", "gemma"],
    ["{{ '<|start|>assistant<|channel|>final<|message|>' }}", "harmony"],
    ["{{ messages }}", "hermes"],
  ];
  for (const [template, format] of expected) assert.equal(findToolCallFormat(template), format, template);
});
