import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCapabilities, type TextCapabilities, type TextFeature } from "../../lib/protocol/chat/capabilities.ts";
import { outputBudget } from "../../lib/protocol/chat/output_budget.ts";
import { readChatRequest } from "../../lib/protocol/chat/read_chat_request.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

const messages = [{ role: "user", content: "Hi" }];
const read = (fields: Record<string, unknown>) => readChatRequest({ model: "", messages, ...fields });
const tool = (strict: boolean) => ({ type: "function", function: { name: "f", strict } });

function code(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof SvcError);
    return `${error.code} ${error.param}`;
  }
  return "accepted";
}

const image = [{ role: "user", content: [{ type: "image_url", image_url: "/a.png" }] }];
const table: [TextFeature, string, Record<string, unknown>, Record<string, unknown>][] = [
  ["tools", "tools", { tools: [tool(false)] }, { tools: [] }],
  ["strict_tools", "tools[0].function.strict", { tools: [tool(true)] }, { tools: [tool(false)] }],
  ["images", "messages[0].content", { messages: image }, {}],
  ["stop", "stop", { stop: "x" }, { stop: [""] }],
  ["seed", "seed", { seed: 0 }, { seed: null }],
  ["top_k", "top_k", { top_k: 1 }, { top_k: 0 }],
  ["min_p", "min_p", { min_p: 0.1 }, { min_p: 0 }],
  ["penalties", "presence_penalty", { presence_penalty: 1 }, { presence_penalty: 0 }],
  ["penalties", "frequency_penalty", { frequency_penalty: 1 }, { frequency_penalty: 0 }],
  ["repetition_penalty", "repetition_penalty", { repetition_penalty: 1.1 }, { repetition_penalty: 1 }],
  ["logit_bias", "logit_bias", { logit_bias: { 1: 1 } }, { logit_bias: {} }],
  ["logprobs", "logprobs", { logprobs: true }, { logprobs: false }],
  ["json_object", "response_format", { response_format: { type: "json_object" } }, {}],
  ["json_schema", "response_format", { response_format: { type: "json_schema", json_schema: { schema: {} } } }, {}],
  ["template_arguments", "chat_template_kwargs", { chat_template_kwargs: { a: 1 } }, { chat_template_kwargs: {} }],
  ["drafts", "svc_show_unmasking", { svc_show_unmasking: true, stream: true }, { svc_show_unmasking: false }],
];
const all = new Set(table.map(([feature]) => feature));

for (const [feature, param, used, neutral] of table) {
  test(`checkCapabilities() refuses ${param} where ${feature} is missing`, () => {
    const without: TextCapabilities = {
      features: new Set([...all].filter((f) => f !== feature)),
      reasoning: undefined,
    };
    assert.equal(code(() => checkCapabilities(read(used), without)), `unsupported_parameter ${param}`);
    assert.equal(code(() => checkCapabilities(read(neutral), without)), "accepted");
    assert.equal(code(() => checkCapabilities(read(used), { ...without, features: all })), "accepted");
  });
}

test("checkCapabilities() maps levels of thinking or names those there are", () => {
  const model: TextCapabilities = {
    features: all,
    reasoning: { optional: false, levels: ["low", "high"], levelMap: { minimal: "low" } },
  };
  assert.equal(checkCapabilities(read({ reasoning_effort: "minimal" }), model).reasoning.effort, "low");
  assert.equal(checkCapabilities(read({ think: true }), model).reasoning.effort, undefined);
  assert.throws(() => checkCapabilities(read({ reasoning_effort: "max" }), model), /expected one of low, high/);
  assert.equal(code(() => checkCapabilities(read({ think: false }), model)), "unsupported_parameter think");
  const json = read({ response_format: { type: "json_object" } });
  assert.equal(code(() => checkCapabilities(json, model)), "unsupported_parameter response_format");
  const plain = { features: all, reasoning: undefined };
  assert.equal(code(() => checkCapabilities(read({ think: true }), plain)), "unsupported_parameter think");
  assert.equal(code(() => checkCapabilities(read({ think: false }), plain)), "accepted");
});

test("outputBudget() gives what is asked for, what is left, and at most the engine's limit", () => {
  const base = { promptTokens: 10, context: 100, requested: undefined, preset: 50, max: undefined };
  assert.equal(outputBudget(base), 50);
  assert.equal(outputBudget({ ...base, requested: 3 }), 3);
  assert.equal(outputBudget({ ...base, requested: 100 }), 90);
  assert.equal(outputBudget({ ...base, requested: 80, max: 32 }), 32);
  assert.equal(outputBudget({ ...base, promptTokens: 99 }), 1);
});

test("outputBudget() names the field that asks for too many tokens", () => {
  const budget = { promptTokens: 0, context: 100, requested: 101, preset: 50, max: undefined };
  for (
    const [param, name] of [[undefined, "max_tokens"], ["max_completion_tokens", "max_completion_tokens"]] as const
  ) {
    assert.throws(() => outputBudget({ ...budget, param }), { code: `invalid_${name}`, param: name });
  }
});

test("outputBudget() never cuts a prompt", () => {
  const base = { promptTokens: 100, context: 100, requested: undefined, preset: 50, max: undefined };
  assert.equal(code(() => outputBudget(base)), "context_length_exceeded messages");
  assert.throws(() => outputBudget({ ...base, promptTokens: 123 }), /123 tokens, expected fewer than 100/);
  assert.equal(code(() => outputBudget({ ...base, requested: 101 })), "invalid_max_tokens max_tokens");
});
