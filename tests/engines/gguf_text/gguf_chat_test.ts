import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ChatOutcome } from "../../../lib/engines/contract/chat_engine.ts";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import { GrammarConstrainer } from "../../../lib/engines/constrained_decoding/grammar_constrainer.ts";
import type { LanguageModel } from "../../../lib/engines/contract/language_model.ts";
import { loadXGrammar } from "../../../lib/app/models/engine/load_xgrammar.ts";
import { readChatRequest } from "../../../lib/protocol/mod.ts";
import { openTiny } from "./open_tiny_gguf.ts";

let model: LanguageModel;
let chats: ChatModel;

before(async () => {
  const openConstrainer = (vocabulary: ConstructorParameters<typeof GrammarConstrainer>[0]) =>
    new GrammarConstrainer(vocabulary, loadXGrammar);
  model = await openTiny({ openConstrainer, concurrency: 2 });
  chats = new ChatModel(model, { id: () => "abcdefgh", seed: () => 1 });
});

after(() => model.close());

function chat(content: string, fields: Record<string, unknown> = {}): Promise<ChatOutcome> {
  const request = readChatRequest({ model: "", messages: [{ role: "user", content }], ...fields });
  const options = { context: 512, presetMaxTokens: 256, defaults: model.profile.sampling, now: 0, images: [] };
  const listener = { onPrefill: () => {}, onText: () => {}, onDraft: () => {}, onTokens: () => {} };
  return chats.chat(request, options, listener, new AbortController().signal);
}

const weather = {
  type: "function",
  function: {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: { city: { type: "string", maxLength: 12 } },
      required: ["city"],
      additionalProperties: false,
    },
  },
};

// @row model-api > Chat rules > 1: mapped or refused before generation, never dropped
test("a GGUF model thinks, calls tools and honours the fields of a request", async () => {
  const thought = (await chat("think")).answer.message;
  assert.deepEqual([thought.reasoning_content, thought.content], [
    "Seven times six makes forty-two.",
    "The answer is 42.",
  ]);
  const called = (await chat("weather", { tools: [weather] })).answer;
  assert.equal(called.message.tool_calls?.[0].function.name, "get_weather");
  assert.equal(called.finishReason, "tool_calls");
  const stopped = await chat("hi", { stop: "tiny" });
  assert.equal(stopped.answer.message.content, "Hello! I am a ");
  for (
    const field of [
      { top_k: 3 },
      { temperature: 0.5, top_p: 0.9, min_p: 0.1 },
      { presence_penalty: 0.1, frequency_penalty: 0.1 },
      { repetition_penalty: 1.01 },
      { logit_bias: { 5: -100 } },
      { seed: 3, logprobs: true, top_logprobs: 2 },
    ]
  ) {
    const { answer, logprobs, completionTokens } = await chat("hi", field);
    assert.equal(answer.message.content, "Hello! I am a tiny model, and I say what my script says.");
    assert.equal(logprobs?.content.length, "logprobs" in field ? completionTokens : undefined);
  }
});

// @row model-api > Chat rules > 7: `json_object` where the engine can, thinking forced off
test("a GGUF model writes JSON when it has to", async () => {
  for (let seed = 0; seed < 4; seed++) {
    const { answer } = await chat("hi", { response_format: { type: "json_object" }, seed, temperature: 1 });
    const value = JSON.parse(answer.message.content);
    assert.ok(typeof value === "object" && !Array.isArray(value));
  }
});

// @row model-api > Chat rules > 7: `json_schema` by constrained decoding
test("a GGUF model keeps to a schema, whatever it would like to say", async () => {
  const schema = {
    type: "object",
    properties: {
      kind: { anyOf: [{ const: "a" }, { enum: [1, null, "c"] }] },
      sizes: { type: "array", items: { type: "integer", minimum: 3, maximum: 40 }, minItems: 1, maxItems: 3 },
      next: { $ref: "#/$defs/leaf" },
    },
    required: ["kind", "sizes"],
    additionalProperties: false,
    $defs: { leaf: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } },
  };
  const format = { type: "json_schema", json_schema: { name: "thing", schema, strict: true } };
  for (let seed = 0; seed < 8; seed++) {
    const { answer } = await chat("json", { response_format: format, seed, temperature: seed % 2 });
    // An answer that breaks the schema is refused by the chat itself.
    assert.equal(answer.finishReason, "stop");
    assert.deepEqual(Object.keys(JSON.parse(answer.message.content)).slice(0, 2), ["kind", "sizes"]);
  }
});

test("a GGUF model keeps to lengths that its tokens would run over", async () => {
  const schema = { type: "object", properties: { a: { type: "string", minLength: 4, maxLength: 6 } }, required: ["a"] };
  const format = { type: "json_schema", json_schema: { name: "thing", schema, strict: true } };
  for (let seed = 0; seed < 6; seed++) {
    const { answer } = await chat("story", { response_format: format, seed, temperature: seed % 3 });
    const { length } = [...JSON.parse(answer.message.content).a];
    assert.ok(length >= 4 && length <= 6, answer.message.content);
  }
});

test("a GGUF model is made to call a tool", async () => {
  const choice = { type: "function", function: { name: "get_weather" } };
  const { answer } = await chat("hi", { tools: [weather], tool_choice: choice, temperature: 1, seed: 5 });
  assert.equal(answer.finishReason, "tool_calls");
  const { name, arguments: given } = answer.message.tool_calls![0].function;
  assert.equal(name, "get_weather");
  assert.deepEqual(Object.keys(JSON.parse(given)), ["city"]);
});

// @row model-api > Chat rules > 7: `json_schema` by constrained decoding
test("a GGUF model refuses schemas that no grammar can hold, before it generates", async () => {
  const format = { type: "json_schema", json_schema: { name: "x", schema: { not: { type: "string" } } } };
  await assert.rejects(chat("hi", { response_format: format }), { code: "unsupported_parameter" });
});
