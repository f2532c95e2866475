import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readChatRequest } from "../../lib/protocol/chat/read_chat_request.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

const messages = [{ role: "user", content: "Hi" }];
const read = (fields: Record<string, unknown>) => readChatRequest({ model: "m", messages, ...fields });

function refusal(body: unknown): { code: string; param: string | undefined; message: string } {
  try {
    readChatRequest(body);
  } catch (error) {
    assert.ok(error instanceof SvcError, String(error));
    assert.equal(error.type, "invalid_request_error");
    assert.match(error.message, /^Cannot complete the chat: .*[^.]$/s);
    return { code: error.code, param: error.param, message: error.message };
  }
  return { code: "accepted", param: undefined, message: "" };
}

const verdict = (fields: Record<string, unknown>) => refusal({ model: "m", messages, ...fields });

test("readChatRequest() leaves every omitted field to the model", () => {
  const request = read({});
  assert.deepEqual(Object.values(request.sampling).filter((value) => value !== undefined), [new Map()]);
  assert.equal(request.maxTokens, undefined);
  assert.deepEqual([request.stream, request.includeUsage, request.parallelToolCalls], [false, false, true]);
  assert.deepEqual([request.stop, request.tools, request.warnings], [[], [], []]);
  assert.deepEqual(request.reasoning, { enabled: undefined, effort: undefined, param: "reasoning_effort" });
});

test("readChatRequest() takes null for an omitted field", () => {
  const names = ["temperature", "top_p", "top_k", "min_p", "max_tokens", "max_completion_tokens", "stop", "seed"];
  const more = ["stream", "stream_options", "logprobs", "top_logprobs", "tools", "tool_choice", "response_format"];
  const rest = ["reasoning_effort", "think", "n", "store", "audio", "metadata", "user", "logit_bias", "modalities"];
  const fields = Object.fromEntries([...names, ...more, ...rest].map((name) => [name, null]));
  assert.deepEqual(read(fields), read({}));
});

// Every number: what is refused, what is accepted.
const bounds: [string, unknown[], unknown[]][] = [
  ["temperature", [-0.01, 2.01, "1", Infinity, NaN, true, []], [0, 1, 2]],
  ["top_p", [-0.01, 1.01, "1"], [0, 0.5, 1]],
  ["min_p", [-0.01, 1.01, "1"], [0, 0.5, 1]],
  ["top_k", [-1, 1.5, "4"], [0, 1, 50]],
  ["max_tokens", [0, -1, 1.5, 2 ** 31, "9"], [1, 2 ** 31 - 1]],
  ["max_completion_tokens", [0, -1, 1.5, 2 ** 31, "9"], [1, 2 ** 31 - 1]],
  ["seed", [-1, 0.5, 2 ** 53, "1"], [0, 2 ** 53 - 1]],
  ["presence_penalty", [-2.01, 2.01, "0"], [-2, 0, 2]],
  ["frequency_penalty", [-2.01, 2.01, "0"], [-2, 0, 2]],
  ["repetition_penalty", [0, -1, 1e-50, 1e39, "1"], [1e-30, 1, 1.3, 1e30]],
];

for (const [field, wrong, right] of bounds) {
  test(`readChatRequest() keeps the bounds of ${field}`, () => {
    for (const value of wrong) {
      const { code, param } = verdict({ [field]: value });
      assert.ok(code === `invalid_${field}` || code === "wrong_type", `${value}: ${code}`);
      assert.equal(param, field);
    }
    for (const value of right) assert.equal(verdict({ [field]: value }).code, "accepted", String(value));
  });
}

test("readChatRequest() keeps the bounds of top_logprobs and what log probabilities need", () => {
  assert.equal(read({ logprobs: true }).topLogprobs, 0);
  assert.equal(read({ logprobs: true, top_logprobs: 20 }).topLogprobs, 20);
  assert.equal(verdict({ logprobs: true, top_logprobs: 21 }).code, "invalid_top_logprobs");
  assert.equal(verdict({ logprobs: true, top_logprobs: -1 }).code, "invalid_top_logprobs");
  assert.equal(verdict({ top_logprobs: 1 }).param, "top_logprobs");
  assert.equal(verdict({ logprobs: true, stream: true }).param, "logprobs");
  assert.equal(verdict({ logprobs: true, response_format: { type: "json_object" } }).param, "logprobs");
});

// @row model-api > Chat request > `max_tokens` and `max_completion_tokens`
// @row model-api > Versions > `max_completion_tokens` beside `max_tokens`
test("readChatRequest() takes both limits of tokens when they are equal", () => {
  assert.equal(read({ max_tokens: 7, max_completion_tokens: 7 }).maxTokens, 7);
  assert.equal(verdict({ max_tokens: 7, max_completion_tokens: 8 }).param, "max_completion_tokens");
});

test("readChatRequest() drops empty stop strings", () => {
  assert.deepEqual(read({ stop: ["a", "", "b"] }).stop, ["a", "b"]);
  assert.deepEqual(read({ stop: "" }).stop, []);
  assert.equal(verdict({ stop: Array(65).fill("x") }).code, "invalid_stop");
  assert.equal(verdict({ stop: "x".repeat(1025) }).code, "invalid_stop");
  assert.equal(verdict({ stop: [1] }).param, "stop[0]");
});

const refused: [string, unknown, unknown[]][] = [
  ["n", 2, [1]],
  ["best_of", 3, [1]],
  ["store", true, [false]],
  ["modalities", ["text", "audio"], [["text"]]],
  ["audio", { voice: "a" }, []],
  ["prediction", {}, []],
  ["suffix", "x", [""]],
  ["echo", true, [false]],
  ["lora", "x", [""]],
  ["functions", [{}], [[]]],
  ["function_call", "auto", []],
  ["grammar", "root ::= x", []],
  ["guided_json", {}, []],
  ["guided_choice", ["a"], []],
  ["typical_p", 0.5, [1]],
  ["mirostat", 2, [0]],
  ["mirostat_tau", 5, []],
  ["repeat_penalty", 1.1, [1]],
  ["min_tokens", 4, [0]],
  ["ignore_eos", true, [false]],
  ["reasoning", { effort: "high" }, []],
  ["web_search_options", {}, []],
  ["n_predict", 4, []],
];

for (const [field, value, neutral] of refused) {
  test(`readChatRequest() refuses ${field} unless it asks for nothing`, () => {
    assert.deepEqual([verdict({ [field]: value }).code, verdict({ [field]: value }).param], [
      "unsupported_parameter",
      field,
    ]);
    for (const same of [null, ...neutral]) assert.deepEqual(read({ [field]: same }).warnings, []);
  });
}

test("readChatRequest() names unknown fields in ASCII warnings", () => {
  const { warnings } = read({ temprature: 1, "köder\n": 2, keep_alive: "5m" });
  assert.equal(warnings.length, 3);
  assert.match(warnings[0], /"temprature".*did you mean "temperature"\?/);
  for (const warning of warnings) assert.match(warning, /^[\x20-\x7e]+$/);
  const context = { user: "u", metadata: { a: "b" }, service_tier: "auto", safety_identifier: "s", store: false };
  assert.deepEqual(read({ ...context, prompt_cache_key: "k" }).warnings, []);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`private_${i}`, i]));
  assert.equal(read(many).warnings.length, 17);
});

test("readChatRequest() names unknown fields of messages with their path", () => {
  const { warnings } = readChatRequest({ model: "", messages: [{ role: "user", content: "a", tool_call_id: "x" }] });
  assert.match(warnings[0], /"messages\[0\]\.tool_call_id"/);
});

test("readChatRequest() refuses bodies that are not an object and bodies without model or messages", () => {
  for (const body of [null, [], "x", 1, undefined]) assert.equal(refusal(body).code, "invalid_json");
  assert.deepEqual([refusal({ messages }).code, refusal({ messages }).param], ["missing_field", "model"]);
  assert.deepEqual([refusal({ model: "" }).code, refusal({ model: "" }).param], ["missing_field", "messages"]);
  assert.equal(refusal({ model: null, messages }).code, "wrong_type");
  assert.equal(refusal({ model: "", messages: [] }).code, "invalid_messages");
});

// @row model-api > Chat request > `response_format`
test("readChatRequest() reads every form of response_format", () => {
  const schema = { type: "object" };
  assert.deepEqual(read({ response_format: { type: "text" } }).responseFormat, { type: "text" });
  assert.deepEqual(
    read({ response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: true } } }).responseFormat,
    { type: "json_schema", name: "n", schema, strict: true, path: "response_format.json_schema.schema" },
  );
  assert.equal(verdict({ response_format: { type: "xml" } }).param, "response_format.type");
  assert.equal(verdict({ response_format: { type: "json_schema" } }).param, "response_format.json_schema");
  assert.equal(
    verdict({ response_format: { type: "json_schema", json_schema: { name: "n" } } }).param,
    "response_format.json_schema.schema",
  );
  assert.equal(verdict({ response_format: "json" }).code, "wrong_type");
  assert.equal(read({ response_format: { type: "json_object" }, think: true }).reasoning.enabled, false);
});

test("readChatRequest() keeps a schema wherever clients put it, or refuses it by its path", () => {
  const schema = { type: "object", properties: { team: { type: "string" } }, required: ["team"] };
  const other = { type: "object" };
  const form = (response_format: Record<string, unknown>) => read({ response_format }).responseFormat;
  const kept = { type: "json_schema", name: undefined, schema, strict: false };
  const flat = { ...kept, path: "response_format.schema" };
  const wrapped = { ...kept, path: "response_format.json_schema.schema" };
  assert.deepEqual(form({ type: "json_object", schema }), flat);
  assert.deepEqual(form({ type: "json_object", schema, json_schema: null }), flat);
  assert.deepEqual(form({ type: "json_schema", schema, name: "n", strict: true }), {
    ...flat,
    name: "n",
    strict: true,
  });
  assert.deepEqual(form({ type: "json_object", json_schema: { name: "n", schema } }), { ...wrapped, name: "n" });
  assert.deepEqual(form({ type: "json_schema", json_schema: { schema }, schema: null }), wrapped);
  for (const empty of [{}, null]) {
    assert.deepEqual(form({ type: "json_object", schema: empty }), { type: "json_object" });
  }
  assert.deepEqual(form({ type: "text", schema: null, json_schema: null }), { type: "text" });
  const refused: [Record<string, unknown>, string][] = [
    [{ type: "text", json_schema: { name: "a", schema } }, "json_schema"],
    [{ type: "text", schema }, "schema"],
    [{ type: "json_object", schema, json_schema: { schema: other } }, "schema"],
    [{ type: "json_schema", schema: other, json_schema: { schema } }, "schema"],
    [{ type: "json_schema", strict: true, json_schema: { schema } }, "strict"],
    [{ type: "json_object", grammar: "root ::= x" }, "grammar"],
    [{ type: "json_schema", json_schema: { schema, regex: "a" } }, "json_schema.regex"],
    [{ type: "json_schema", schema, choices: ["a"] }, "choices"],
  ];
  for (const [response_format, path] of refused) {
    const { code, param } = verdict({ response_format });
    assert.deepEqual([code, param], ["unsupported_parameter", `response_format.${path}`]);
  }
  for (const [schema, path] of [["x", "schema"], [[], "schema"]] as const) {
    assert.equal(verdict({ response_format: { type: "json_object", schema } }).param, `response_format.${path}`);
  }
  assert.equal(
    verdict({ response_format: { type: "json_object", json_schema: schema } }).param,
    "response_format.json_schema.schema",
  );
});

/** A request with an unknown member `zz` in every place that may have members. */
const everywhere = {
  zz: 0,
  response_format: { type: "json_schema", zz: 0, json_schema: { schema: { zz: 0 }, zz: 0 } },
  tools: [{ type: "function", zz: 0, function: { name: "f", parameters: { zz: 0, properties: { zz: {} } }, zz: 0 } }],
  tool_choice: {
    type: "allowed_tools",
    zz: 0,
    allowed_tools: { mode: "auto", zz: 0, tools: [{ type: "function", zz: 0, function: { name: "f", zz: 0 } }] },
  },
  stream_options: { include_usage: true, zz: 0 },
  metadata: { zz: "0" },
  logit_bias: { 1: 0 },
  chat_template_kwargs: { zz: { zz: 0 } },
  messages: [
    { role: "system", zz: 0, content: [{ type: "text", text: "a", zz: 0 }] },
    {
      role: "user",
      content: [
        { type: "text", text: "a", zz: 0 },
        { type: "image_url", zz: 0, image_url: { url: "a.png", zz: 0 } },
      ],
      zz: 0,
    },
    {
      role: "assistant",
      content: [{ type: "refusal", refusal: "a", zz: 0 }],
      annotations: [{ zz: 0 }],
      tool_calls: [{
        id: "c",
        index: 0,
        type: "function",
        zz: 0,
        function: { name: "f", arguments: '{"zz":0}', zz: 0 },
      }],
    },
    { role: "tool", tool_call_id: "c", content: "x", zz: 0 },
  ],
};

test("readChatRequest() names unknown members at every depth by their path, but not those of schemas and maps", () => {
  const { warnings } = readChatRequest({ model: "m", ...everywhere });
  const paths = warnings.map((sentence) => /"(.*?)"/.exec(sentence)?.[1]);
  assert.deepEqual(paths.slice(0, 16), [
    "zz",
    "response_format.zz",
    "response_format.json_schema.zz",
    "tools[0].zz",
    "tools[0].function.zz",
    "tool_choice.zz",
    "tool_choice.allowed_tools.zz",
    "tool_choice.allowed_tools.tools[0].zz",
    "tool_choice.allowed_tools.tools[0].function.zz",
    "stream_options.zz",
    "messages[0].zz",
    "messages[0].content[0].zz",
    "messages[1].content[0].zz",
    "messages[1].content[1].zz",
    "messages[1].content[1].image_url.zz",
    "messages[1].zz",
  ]);
  assert.equal(warnings.at(-1), "Ignored 4 more fields");
  const { messages } = everywhere;
  const later = readChatRequest({ model: "m", messages: messages.slice(2) }).warnings;
  assert.deepEqual(later.map((sentence) => /"(.*?)"/.exec(sentence)?.[1]), [
    "messages[0].content[0].zz",
    "messages[0].tool_calls[0].zz",
    "messages[0].tool_calls[0].function.zz",
    "messages[1].zz",
  ]);
});

test("readChatRequest() refuses nested members that would change the answer by their path", () => {
  const f = { name: "f" };
  const url = "a.png";
  const user = (...content: unknown[]) => ({ messages: [{ role: "user", content }] });
  const refused: [Record<string, unknown>, string][] = [
    [
      { tools: [{ type: "function", function: f }, { type: "function", function: { name: "g" }, strict: true }] },
      "tools[1].strict",
    ],
    [{ tools: [{ type: "function", function: f, parameters: { type: "object" } }] }, "tools[0].parameters"],
    [{ tools: [{ type: "function", function: { ...f, input_schema: {} } }] }, "tools[0].function.input_schema"],
    [{ tools: [{ type: "function", function: { ...f, properties: {} } }] }, "tools[0].function.properties"],
    [{ stream: true, stream_options: { continuous_usage_stats: true } }, "stream_options.continuous_usage_stats"],
    [user({ type: "text", text: "a", image_url: { url } }), "messages[0].content[0].image_url"],
    [user({ type: "image_url", image_url: { url }, text: "b" }), "messages[0].content[0].text"],
    [user({ type: "image_url", image_url: { url, max_pixels: 9 } }), "messages[0].content[0].image_url.max_pixels"],
    [{ messages: [{ role: "user", content: "x", images: ["a"] }] }, "messages[0].images"],
    [{ messages: [...messages, { role: "assistant", content: "x", prefix: true }] }, "messages[1].prefix"],
    [{ messages: [...messages, { role: "assistant", content: "x", partial: true }] }, "messages[1].partial"],
  ];
  for (const [fields, path] of refused) {
    assert.deepEqual([verdict(fields).code, verdict(fields).param], ["unsupported_parameter", path]);
  }
  const neutral = [{ role: "assistant", content: "x", prefix: false, images: [], audio: null, reasoning: "so" }];
  const [said] = read({ messages: neutral }).messages;
  assert.deepEqual([read({ messages: neutral }).warnings, "reasoning" in said && said.reasoning], [[], "so"]);
});

test("readChatRequest() takes the detail of an image from either place, and from both when they agree", () => {
  const detail = (part: Record<string, unknown>) => {
    const { content } = read({ messages: [{ role: "user", content: [{ type: "image_url", ...part }] }] }).messages[0];
    return typeof content !== "string" && content[0].type === "image" && content[0].image.detail;
  };
  assert.equal(detail({ image_url: { url: "a", detail: "low" } }), "low");
  assert.equal(detail({ image_url: { url: "a" }, detail: "high" }), "high");
  assert.equal(detail({ image_url: { url: "a", detail: "low" }, detail: "low" }), "low");
  assert.equal(detail({ image_url: "a" }), "auto");
  const both = { type: "image_url", image_url: { url: "a", detail: "low" }, detail: "high" };
  assert.equal(verdict({ messages: [{ role: "user", content: [both] }] }).param, "messages[0].content[0].detail");
});

// @row model-api > Chat request > `enable_thinking`, `think`, `thinking`
test("readChatRequest() reads thinking in every spelling", () => {
  const said = (fields: Record<string, unknown>) => {
    const { enabled, effort } = read(fields).reasoning;
    return [enabled, effort];
  };
  assert.deepEqual(said({ reasoning_effort: "high" }), [true, "high"]);
  assert.deepEqual(said({ reasoning_effort: "none" }), [false, undefined]);
  assert.deepEqual(said({ enable_thinking: false }), [false, undefined]);
  assert.deepEqual(said({ chat_template_kwargs: { enable_thinking: true } }), [true, undefined]);
  assert.deepEqual(said({ think: "low", enable_thinking: true }), [true, "low"]);
  assert.deepEqual(said({ thinking: { type: "disabled" } }), [false, undefined]);
  assert.equal(verdict({ think: true, reasoning_effort: "off" }).code, "invalid_think");
  assert.equal(verdict({ think: "low", reasoning_effort: "high" }).code, "invalid_think");
  assert.equal(verdict({ reasoning_effort: "extreme" }).param, "reasoning_effort");
  assert.equal(verdict({ thinking: { type: "enabled", budget_tokens: 9 } }).code, "unsupported_parameter");
  assert.deepEqual(read({ chat_template_kwargs: { enable_thinking: true, a: 1 } }).templateArguments, { a: 1 });
  assert.equal(verdict({ chat_template_kwargs: { messages: [] } }).param, "chat_template_kwargs.messages");
});

// @row model-api > Chat request > `logit_bias`
test("readChatRequest() reads logit_bias by token id", () => {
  assert.deepEqual(read({ logit_bias: { "7": -100, "12": 3.5 } }).sampling.logitBias, new Map([[7, -100], [12, 3.5]]));
  for (const bias of [{ x: 1 }, { "1": 101 }, { "1": "a" }, { "-1": 1 }]) {
    assert.equal(verdict({ logit_bias: bias }).code, "invalid_logit_bias");
  }
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, id) => [id, 1]));
  assert.equal(read({ logit_bias: many(10_000) }).sampling.logitBias.size, 10_000);
  assert.equal(verdict({ logit_bias: many(10_001) }).code, "invalid_logit_bias");
});

test("readChatRequest() takes at most 1,000 fields", () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x_${i}`, 1]));
  assert.deepEqual(read(many(998)).warnings.at(-1), "Ignored 982 more fields");
  assert.equal(verdict(many(999)).code, "invalid_json");
});

test("readChatRequest() shows drafts on a stream only", () => {
  assert.equal(read({ svc_show_unmasking: true, stream: true }).showUnmasking, true);
  assert.equal(verdict({ svc_show_unmasking: true }).param, "svc_show_unmasking");
});

test("readChatRequest() throws nothing but its error, whatever the body is", () => {
  const names = ["model", "messages", "tools", "tool_choice", "response_format", "stop", "thinking", "logit_bias"];
  const inner = ["role", "content", "type", "text", "image_url", "function", "name", "arguments", "tool_calls"];
  const key = fc.oneof(fc.constantFrom(...names, ...inner), fc.string());
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, 0, -1, 1e308, "", "user", "assistant", "tool", "function", "text", "{}"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    ),
  }));
  const body = fc.record({ model: fc.constant(""), messages: fc.array(value), tools: value, tool_choice: value });
  fc.assert(
    fc.property(fc.oneof(value, body), (any) => {
      refusal(any);
    }),
    { seed: 5, numRuns: 500 },
  );
});

test("readChatRequest() refuses values that are nested too deep to go anywhere", () => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`);
  const messages = [{ role: "user", content: "Hi" }];
  const code = (fields: Record<string, unknown>): string => {
    try {
      readChatRequest({ model: "", messages, ...fields });
      return "";
    } catch (error) {
      return error instanceof SvcError ? `${error.code} ${error.param}` : String(error);
    }
  };
  assert.equal(code({ chat_template_kwargs: nested(500) }), "");
  assert.equal(code({ chat_template_kwargs: nested(501) }), "invalid_chat_template_kwargs chat_template_kwargs");
  const format = (schema: unknown) => ({ type: "json_schema", json_schema: { name: "x", schema } });
  assert.equal(code({ response_format: format(nested(200_000)) }), "invalid_response_format response_format");
  const tools = [{ type: "function", function: { name: "f", parameters: nested(5000) } }];
  assert.equal(code({ tools }), "invalid_tools tools");
  const call = { id: "1", type: "function", function: { name: "f", arguments: JSON.stringify(nested(501)) } };
  assert.match(code({ messages: [{ role: "assistant", tool_calls: [call] }] }), /messages\[0\]\.tool_calls/);
});
