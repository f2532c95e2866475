import assert from "node:assert/strict";
import { test } from "node:test";
import { keepJsonText } from "../../lib/json/json_sources.ts";
import { ChatTemplate, readTokenizerConfig } from "../../lib/protocol/templates/chat_template.ts";
import { readChatRequest } from "../../lib/protocol/chat/read_chat_request.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

const now = new Date(2026, 10, 21, 4, 5);
const user = { role: "user", content: "Hi" };
const add = { type: "function", function: { name: "add", description: "Adds", parameters: { type: "object" } } };

function render(chat: string, fields: Record<string, unknown> = {}, tokens: Record<string, string> = {}): string {
  const request = readChatRequest({ model: "", messages: [user], ...fields });
  return new ChatTemplate({ chat, toolUse: undefined, tokens }).render(request, now).text;
}

function code(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof SvcError, String(error));
    return `${error.type} ${error.code}`;
  }
  return "accepted";
}

// In the manner of the templates that models bring: blocks on lines of their own, thoughts, tools and answers.
const CHATML = `{%- if tools %}
    {{- '<|system|>' + (messages[0].content + '\\n' if messages[0].role == 'system' else '') }}
    {%- for tool in tools %}{{ tool | tojson }}{% endfor %}
    {{- '<|end|>' }}
{%- endif %}
{%- for message in messages %}
    {%- if message.role == 'assistant' %}
        {{- '<|assistant|>' }}
        {%- if message.reasoning_content is defined %}{{ '<think>' + message.reasoning_content + '</think>' }}{% endif %}
        {{- message.content }}
        {%- for call in message.tool_calls or [] %}
            {{- '<tool_call>{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}</tool_call>' }}
        {%- endfor %}
        {{- '<|end|>' }}
    {%- elif message.role == 'tool' %}
        {{- '<|tool|>' + message.name + ': ' + message.content + '<|end|>' }}
    {%- elif not (tools and loop.first and message.role == 'system') %}
        {{- '<|' + message.role + '|>' + message.content + '<|end|>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|assistant|>' }}
    {%- if enable_thinking is defined and not enable_thinking %}{{ '<think></think>' }}{% else %}{{ '<think>' }}{% endif %}
{%- endif %}`;

const PLAIN = "{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }}\n{% endfor %}";

const dialog = [
  { role: "system", content: "Be short." },
  user,
  {
    role: "assistant",
    content: null,
    reasoning_content: "hm",
    tool_calls: [{ id: "c", type: "function", function: { name: "add", arguments: '{"a": 1}' } }],
  },
  { role: "tool", tool_call_id: "c", content: "2" },
];

test("ChatTemplate renders tools, calls, answers and thoughts where the template has places for them", () => {
  const list = JSON.stringify(add).replaceAll(":", ": ").replaceAll(",", ", ");
  assert.equal(
    render(CHATML, { messages: dialog, tools: [add] }),
    `<|system|>Be short.\n${list}<|end|><|user|>Hi<|end|><|assistant|><think>hm</think>` +
      '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call><|end|><|tool|>add: 2<|end|><|assistant|><think>',
  );
});

test("ChatTemplate keeps what a turn of a loop has printed before it continues or breaks the loop", () => {
  const messages = [
    { role: "system", content: "S" },
    { role: "user", content: "U" },
    { role: "assistant", content: "A" },
    { role: "user", content: "V" },
  ];
  const goesOn =
    "{% for m in messages %}<{{ m.role }}>{% if m.role == 'user' %}{{ m.content }}{% continue %}{% endif %}" +
    "({{ m.content }}){% endfor %}";
  assert.equal(render(goesOn, { messages }), "<system>(S)<user>U<assistant>(A)<user>V");
  const ends = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% if loop.index == 2 %}{% break %}{% endif %}" +
    "{% endfor %}END";
  assert.equal(render(ends, { messages }), "<system>S<user>UEND");
});

test("ChatTemplate gives none for tools and documents that there are not, as transformers does", () => {
  const asks =
    "{{ tools is none }} {{ documents is none }} {{ tools is defined }} {{ tools is not none and tools[0] }}";
  assert.equal(render(asks), "True True True False");
  assert.equal(render("{{ tools | length }} {{ documents }}", { tools: [add] }), "1 None");
  assert.equal(render("{{ documents[0] }}", { chat_template_kwargs: { documents: ["a"] } }), "a");
});

test("ChatTemplate puts into text what the template has no places for", () => {
  const text = render(PLAIN, { messages: dialog, tools: [add] }, { bos_token: "<s>" });
  const [system, , assistant, tool] = text.split("\n[");
  assert.match(system, /^<s>\[system\]Be short\.\n\nYou can call functions\./);
  assert.match(system, /\{"name":"add","description":"Adds","parameters":\{"type":"object"\}\}/);
  assert.match(
    assistant,
    /^assistant\]<think>\nhm\n<\/think>\n\n<tool_call>\{"name":"add","arguments":\{"a":1\}\}<\/tool_call>$/,
  );
  assert.equal(tool, "user]<tool_response>2</tool_response>\n");
});

/** Renders a body that came as a text. */
function renderText(chat: string, text: string): string {
  const body: unknown = JSON.parse(text);
  keepJsonText(body, text);
  return new ChatTemplate({ chat, toolUse: undefined, tokens: {} }).render(readChatRequest(body), now).text;
}

/** A body with a call of these arguments, which are JSON, and a function with a schema. */
const called = (given: string, schema = "{}"): string =>
  `{"model": "", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": [{"id": "c",
    "type": "function", "function": {"name": "f", "arguments": ${given}}}]}],
    "tools": [{"type": "function", "function": {"name": "f", "parameters": ${schema}}}]}`;

const CALLS = "{% for m in messages %}{% for c in m.tool_calls or [] %}{% set args = c.function.arguments %}";
const calls = (inside: string): string => `${CALLS}${inside}{% endfor %}{% endfor %}{% if tools %}{% endif %}`;

test("ChatTemplate gives back the arguments of calls as they were written", () => {
  const written = '{"id": 2512292042121000001, "10": 1.0, "2": 1e3, "z": -0, "s": "\\u00e9\\/", "s": [1.50, {}]}';
  for (const given of [JSON.stringify(written), written.replace('"s": "\\u00e9\\/", ', "")]) {
    const expected = given.startsWith("{") ? given : written;
    assert.equal(renderText(calls("{{ args | tojson }}"), called(given)), expected);
    // A template without a place for tools has the call in a line.
    assert.ok(renderText(PLAIN, called(given)).includes(`"arguments":${expected.replaceAll(/([,:]) /g, "$1")}}`));
  }
  const one = JSON.stringify('{"a":{"b":[1.0,"x, y"],"c":{}}}');
  assert.equal(renderText(calls("{{ args | tojson }}"), called(one)), '{"a": {"b": [1.0, "x, y"], "c": {}}}');
  assert.equal(
    renderText(calls("{{ args | tojson(indent=2) }}"), called(one)),
    '{\n  "a": {\n    "b": [\n      1.0,\n      "x, y"\n    ],\n    "c": {}\n  }\n}',
  );
  assert.equal(renderText(calls("{{ args.a.b | tojson(separators=(',', ':')) }}"), called(one)), '[1.0,"x, y"]');
  const order = JSON.stringify('{"b": 1.0, "a": 2}');
  assert.equal(renderText(calls("{{ args | tojson(sort_keys=true) }}"), called(order)), '{"a": 2, "b": 1.0}');
});

test("ChatTemplate shows numbers by their text, and calculates with them", () => {
  const numbers = JSON.stringify('{"i": 9007199254740993, "f": 1.0, "e": 1e3, "z": -0}');
  const shown = (inside: string): string => renderText(calls(inside), called(numbers));
  const all = "9007199254740993 1.0 1e3 -0 ";
  assert.equal(shown("{% for k, v in args.items() %}{{ v }} {% endfor %}"), all);
  assert.equal(shown("{% for k, v in args | items %}{{ v | string }} {% endfor %}"), all);
  assert.equal(shown("{% for k, v in args | items %}{{ v | tojson }} {% endfor %}"), all);
  assert.equal(shown("{% for v in args.values() %}{{ v ~ ' ' }}{% endfor %}"), all);
  assert.equal(shown("{{ args.values() | list | join(' ') }} "), all);
  assert.equal(shown("{{ args }}"), "{'i': 9007199254740993, 'f': 1.0, 'e': 1e3, 'z': -0}");
  assert.equal(shown("{{ args.e + 1 }} {{ args.f * 2 }} {{ args.e > 999 }}"), "1001.0 2.0 True");
  assert.equal(shown("{{ args.i is number }} {{ args.i is integer }} {{ args.f is integer }}"), "True True False");
  assert.equal(shown("{{ 'zero' if not args.z }}"), "zero");
});

test("ChatTemplate gives schemas their numbers and their order, and texts without escapes", () => {
  const schema = '{"properties": {"10": {"maximum": 9007199254740993}, "2": {"minimum": 1.0, "title": "caf\\u00e9"}}}';
  const expected = schema.replace("\\u00e9", "é");
  assert.equal(renderText("{{ tools[0].function.parameters | tojson }}", called("null", schema)), expected);
  assert.ok(
    renderText(PLAIN, called("null", schema)).includes(`"parameters":${expected.replaceAll(/([,:]) /g, "$1")}}`),
  );
});

test("ChatTemplate passes on arguments that are not an object, whatever the template expects", () => {
  const cut = '{"city": "Par';
  const given = called(JSON.stringify(cut));
  assert.equal(renderText(calls("{{ args if args is string else args | tojson }}"), given), cut);
  assert.equal(renderText(calls("{{ args | tojson }}"), given), JSON.stringify(cut));
  assert.equal(
    renderText(calls("{% for k, v in args | items %}{{ k }}={{ v }}{% endfor %}"), given),
    `arguments=${cut}`,
  );
  const strict = calls("{% if args is not mapping %}{{ raise_exception('no') }}{% endif %}{{ args.arguments }}");
  assert.equal(renderText(strict, given), cut);
  assert.ok(renderText(PLAIN, given).includes(`"arguments":${JSON.stringify(cut)}}`));
});

test("ChatTemplate switches reasoning and reports whether the answer begins with reasoning", () => {
  const prompt = (fields: Record<string, unknown>) =>
    new ChatTemplate({ chat: CHATML, toolUse: undefined, tokens: {} })
      .render(readChatRequest({ model: "", messages: [user], ...fields }), now);
  assert.deepEqual([prompt({}).startsInReasoning, prompt({ think: true }).startsInReasoning], [true, true]);
  assert.equal(prompt({ think: false }).startsInReasoning, false);
  assert.ok(prompt({ reasoning_effort: "off" }).text.endsWith("<think></think>"));
  assert.equal(prompt({}).toolCallFormat, "hermes");
  assert.equal(render("{{ reasoning_effort }}", { reasoning_effort: "high" }), "high");
  assert.equal(render("{{ style }}", { chat_template_kwargs: { style: "terse" } }), "terse");
});

test("ChatTemplate makes a developer a system unless the template has a developer role", () => {
  const messages = [{ role: "developer", content: "x" }];
  assert.equal(render("{{ messages[0].role }}", { messages }), "system");
  assert.equal(render("{% if messages[0].role == 'developer' %}dev{% endif %}", { messages }), "dev");
});

test("ChatTemplate gives images a place and not their data", () => {
  const content = [{ type: "image_url", image_url: "/a.png" }, { type: "text", text: "?" }];
  const chat = "{% for p in messages[0].content %}{{ '<image>' if p.type == 'image' else p.text }}{% endfor %}";
  assert.equal(render(chat, { messages: [{ role: "user", content }] }), "<image>?");
});

const choices: [string, Record<string, unknown>, RegExp | undefined][] = [
  ["auto", {}, undefined],
  ["auto without parallel calls", { parallel_tool_calls: false }, /only one call/],
  ["required", { tool_choice: "required" }, /call of one of the functions[^.]*\.$/],
  ["required without parallel calls", { tool_choice: "required", parallel_tool_calls: false }, /exactly one call/],
  ["a function", { tool_choice: { type: "function", function: { name: "add" } } }, /call of the function add/],
];

for (const [name, fields, expected] of choices) {
  // @row model-api > Chat rules > 2: `required` and specific choices are explicit; one call without parallel calls
  test(`ChatTemplate states tool_choice ${name}`, () => {
    const text = render("{% set t = tools %}{{ messages[0].role }} {{ messages[0].content }}", {
      ...fields,
      tools: [add],
    });
    if (expected === undefined) assert.equal(text, "user Hi");
    else assert.match(text, expected);
    const system = [{ role: "system", content: "A" }, user];
    const appended = render("{% set t = tools %}{{ messages[0].content }}", {
      ...fields,
      tools: [add],
      messages: system,
    });
    assert.ok(expected === undefined ? appended === "A" : appended.startsWith("A\n\n"));
  });
}

test("ChatTemplate takes the template for tools when there are tools", () => {
  const template = new ChatTemplate({ chat: "chat", toolUse: "{{ tools[0].function.name }}", tokens: {} });
  const text = (fields: Record<string, unknown>) =>
    template.render(readChatRequest({ model: "", messages: [user], ...fields }), now).text;
  assert.deepEqual([text({}), text({ tools: [add] }), text({ tools: [add], tool_choice: "none" })], [
    "chat",
    "add",
    "chat",
  ]);
});

test("ChatTemplate renders the given time", () => {
  assert.equal(
    render("{{ strftime_now('%d %b %Y, %A %B %H:%M %% %q') }}"),
    "21 Nov 2026, Saturday November 04:05 % %q",
  );
});

test("ChatTemplate passes on why a template refuses the messages", () => {
  const chat = "{{ raise_exception('roles must alternate') }}";
  assert.throws(() => render(chat), (error) => {
    assert.ok(error instanceof SvcError && error.code === "template_refused" && error.param === "messages");
    return error.message.includes('"roles must alternate"');
  });
});

const broken = ["{% for %}", "{{ 'a", "{% if x %}", "{{ [", "{{ {", "{% macro %}", "x".repeat(600_000)];

test("ChatTemplate refuses an invalid template when the model is opened", () => {
  for (const chat of broken) {
    assert.equal(code(() => render(chat)), "model_unavailable_error template_invalid", chat.slice(0, 20));
  }
  const none = { chat: undefined, toolUse: undefined, tokens: {} };
  assert.equal(code(() => new ChatTemplate(none)), "model_unavailable_error template_invalid");
});

const hostile: [string, string][] = [
  ["endless loops", "{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}"],
  [
    "endless loops over a kept list",
    "{% set r = range(9000) %}{% for a in r %}{% for b in r if b %}{% endfor %}{% for c in r %}{% endfor %}{% endfor %}",
  ],
  ["huge ranges", "{{ range(10000000000) | length }}"],
  ["ranges without an end", "{{ range(0, 10, 0) }}"],
  [
    "doubling text",
    "{% set n = namespace(s='ab') %}{% for a in range(64) %}{% set n.s = n.s + n.s %}{% endfor %}{{ n.s }}",
  ],
  [
    "lists of lists",
    "{% set n = namespace(s=['ab']) %}{% for a in range(64) %}{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s }}",
  ],
  [
    "growing replacements",
    "{% set n = namespace(s='aa') %}{% for a in range(64) %}{% set n.s = n.s | replace('a', n.s) %}{% endfor %}",
  ],
  ["macros that call themselves", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"],
  ["operations on nothing", "{{ nothing + 1 }}"],
];

for (const [name, chat] of hostile) {
  test(`ChatTemplate ends a template with ${name}`, () => {
    assert.equal(code(() => render(chat)), "server_error template_failed");
  });
}

test("ChatTemplate renders long dialogs within its bounds", () => {
  const messages = Array.from(
    { length: 2000 },
    (_, i) => ({ role: i % 2 ? "user" : "system", content: "x".repeat(500) }),
  );
  assert.equal(render(CHATML, { messages }).length > 1_000_000, true);
});

test("readTokenizerConfig() reads every form of templates and tokens", () => {
  const tokens = { bos_token: "<s>", eos_token: { content: "</s>", lstrip: false }, pad_token: null };
  assert.deepEqual(readTokenizerConfig({ chat_template: "a", ...tokens }), {
    chat: "a",
    toolUse: undefined,
    tokens: { bos_token: "<s>", eos_token: "</s>" },
  });
  const named = [{ name: "default", template: "a" }, { name: "tool_use", template: "b" }];
  assert.deepEqual(readTokenizerConfig({ chat_template: named }), { chat: "a", toolUse: "b", tokens: {} });
  assert.equal(readTokenizerConfig({ chat_template: "a" }, "file").chat, "file");
  for (const odd of [null, 1, [], { chat_template: 5 }, { chat_template: [null, {}] }]) {
    assert.equal(readTokenizerConfig(odd).chat, undefined);
  }
});
