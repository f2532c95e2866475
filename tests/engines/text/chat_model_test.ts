import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatListener, ChatOptions, ChatOutcome } from "../../../lib/engines/contract/chat_engine.ts";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import { NEUTRAL_SAMPLING, readChatRequest } from "../../../lib/protocol/mod.ts";
import { FakeLanguageModel, type FakeModelOptions } from "../../support/fake_language_model.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const options: ChatOptions = {
  context: 4096,
  presetMaxTokens: 2048,
  defaults: { ...NEUTRAL_SAMPLING, temperature: 0.6, topK: 20 },
  now: Date.UTC(2026, 0, 2),
  images: [],
};
const silent: ChatListener = { onPrefill: () => {}, onText: () => {}, onDraft: () => {}, onTokens: () => {} };
const forever = new AbortController().signal;
const THINKING = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>" +
  "{% if enable_thinking is defined and not enable_thinking %}<think></think>{% endif %}";

interface Asked {
  readonly outcome: ChatOutcome;
  readonly model: FakeLanguageModel;
  readonly texts: readonly string[];
}

async function ask(
  fields: Record<string, unknown>,
  model: FakeModelOptions = {},
  changes: Partial<ChatOptions> = {},
): Promise<Asked> {
  const fake = new FakeLanguageModel(model);
  const texts: string[] = [];
  const request = readChatRequest({ model: "", messages: [{ role: "user", content: "Hi" }], ...fields });
  const chats = new ChatModel(fake, { id: () => "0a1b2c3d", seed: () => 7 });
  const listener = { ...silent, onText: (text: string) => texts.push(text) };
  const outcome = await chats.chat(request, { ...options, ...changes }, listener, forever);
  return { outcome, model: fake, texts };
}

const refuses = (code: string, param: string | undefined, asked: Promise<unknown>): Promise<void> =>
  assert.rejects(asked, (error) => {
    assert.ok(error instanceof SvcError, String(error));
    assert.deepEqual([error.code, error.param], [code, param]);
    return true;
  });

const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
const asSchema = { response_format: { type: "json_schema", json_schema: { name: "x", schema, strict: true } } };

test("ChatModel.chat() renders, encodes and answers with what the model said", async () => {
  const { outcome, model, texts } = await ask({ temperature: 0.2, seed: 3 });
  const [job] = model.jobs;
  assert.equal(model.decode(job.prompt), "<user>Hi<assistant>");
  assert.equal(job.seed, 3);
  assert.deepEqual(job.sampling, { ...options.defaults, temperature: 0.2 });
  assert.equal(job.maxTokens, 2048);
  assert.equal(texts.join("") + outcome.answer.rest, "Hello.");
  assert.deepEqual(outcome.answer.message, { role: "assistant", content: "Hello." });
  assert.equal(outcome.answer.finishReason, "stop");
  assert.deepEqual([outcome.promptTokens, outcome.cachedTokens, outcome.completionTokens], [19, 3, 6]);
  assert.deepEqual([outcome.prefillSeconds, outcome.decodeSeconds, outcome.firstTokenSeconds], [1, 2, 1.5]);
  assert.equal((await ask({})).model.jobs[0].seed, 7);
});

test("ChatModel.chat() keeps the answer within context, request, preset and engine", async () => {
  const max = async (fields: object, changes: Partial<ChatOptions> = {}, maxOutputTokens?: number) =>
    (await ask({ ...fields }, { profile: { maxOutputTokens } }, changes)).model.jobs[0].maxTokens;
  assert.equal(await max({ max_tokens: 5 }), 5);
  assert.equal(await max({}, { presetMaxTokens: 9 }), 9);
  assert.equal(await max({ max_tokens: 500 }, {}, 256), 256);
  assert.equal(await max({ max_tokens: 500 }, { context: 500 }), 481);
  await refuses("context_length_exceeded", "messages", ask({}, {}, { context: 19 }));
  await refuses("invalid_max_tokens", "max_tokens", ask({ max_tokens: 5000 }));
  assert.equal((await ask({ max_tokens: 2 })).outcome.answer.finishReason, "length");
});

test("ChatModel.chat() reads only the beginning of a prompt that is far too long", async () => {
  const model = new FakeLanguageModel();
  const read: number[] = [];
  const encode = model.encode.bind(model);
  model.encode = (text) => {
    read.push(text.length);
    return encode(text);
  };
  const chat = new ChatModel(model, { id: () => "", seed: () => 1 });
  const request = readChatRequest({ model: "", messages: [{ role: "user", content: "a".repeat(1_000_000) }] });
  await assert.rejects(
    chat.chat(request, { ...options, context: 20 }, silent, forever),
    { code: "context_length_exceeded", message: /have at least 319 tokens, expected fewer than 20,/ },
  );
  assert.deepEqual(read, [320]);
});

test("ChatModel.chat() refuses what the model cannot do, and messages that its template refuses", async () => {
  await refuses("unsupported_parameter", "seed", ask({ seed: 1 }, { features: ["stop"] }));
  await refuses("template_refused", "messages", ask({}, { template: "{{ raise_exception('no') }}" }));
  assert.throws(
    () => new ChatModel(Object.assign(new FakeLanguageModel(), { template: {} }), { id: () => "", seed: () => 1 }),
    /Cannot read the chat template/,
  );
});

test("ChatModel.chat() says that a template makes no prompt", async () => {
  await refuses("template_failed", undefined, ask({}, { template: "{# nothing #}" }));
});

test("ChatModel.chat() ends at a stop string and sends no more", async () => {
  const { outcome, texts } = await ask({ stop: "lo" }, { answer: () => "Hello, hello" });
  assert.equal(texts.join("") + outcome.answer.rest, "Hel");
  assert.equal(outcome.answer.finishReason, "stop");
  assert.equal(outcome.completionTokens, 5);
});

test("ChatModel.chat() keeps reasoning and calls out of the text", async () => {
  const thought = await ask({}, { answer: () => "<think>Hm.</think>\n\nYes" });
  assert.deepEqual(thought.outcome.answer.message, { role: "assistant", content: "Yes", reasoning_content: "Hm." });
  assert.equal(thought.texts.join("") + thought.outcome.answer.rest, "Yes");
  const tools = [{ type: "function", function: { name: "add", parameters: schema } }];
  const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>';
  const { outcome } = await ask({ tools }, { answer: () => call });
  assert.equal(outcome.answer.finishReason, "tool_calls");
  assert.deepEqual(outcome.answer.message.tool_calls, [
    { id: "call_0_0a1b2c3d", type: "function", function: { name: "add", arguments: '{"a": 1}' } },
  ]);
});

test("ChatModel.chat() hands constraints on, and checks whole answers against them", async () => {
  const { outcome, model } = await ask(asSchema, { answer: () => '{"a": 1}' });
  const path = "response_format.json_schema.schema";
  assert.deepEqual(model.jobs[0].constraint, { kind: "json_schema", schema, strict: true, path });
  assert.equal(outcome.answer.message.content, '{"a": 1}');
  for (const answer of ['{"a": "1"}', "{}", '{"a": 1', "[]", "Sorry"]) {
    await refuses("invalid_output", undefined, ask(asSchema, { answer: () => answer }));
  }
  await refuses(
    "invalid_output",
    undefined,
    ask({ response_format: { type: "json_object" } }, { answer: () => "[1]" }),
  );
  // What the budget or a stop string has cut is not an error.
  const cut = await ask({ ...asSchema, max_tokens: 3 }, { answer: () => '{"a": 1}' });
  assert.deepEqual([cut.outcome.answer.message.content, cut.outcome.answer.finishReason], ['{"a', "length"]);
  await ask({ ...asSchema, stop: ":" }, { answer: () => '{"a": 1}' });
});

test("ChatModel.chat() finds no thoughts in answers that are JSON", async () => {
  const { outcome } = await ask({ response_format: { type: "json_object" } }, {
    answer: () => '{"a": "<think>b</think>"}',
    template: THINKING,
  });
  assert.equal(outcome.answer.message.content, '{"a": "<think>b</think>"}');
});

test("ChatModel.chat() forces required calls, without a thought before them", async () => {
  const tools = [{ type: "function", function: { name: "add", parameters: schema } }];
  const reasoning = { optional: true, levels: [], levelMap: {} };
  const features = new FakeLanguageModel().profile.capabilities.features;
  const model = {
    template: THINKING,
    profile: { capabilities: { features, reasoning } },
    answer: () => '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>',
  };
  const forced = await ask({ tools, tool_choice: "required" }, model);
  const [job] = forced.model.jobs;
  assert.equal(job.constraint?.kind === "tool_calls" && job.constraint.forced, true);
  assert.match(forced.model.decode(job.prompt), /<think><\/think>$/);
  // Whoever asks for thoughts gets them, and the instruction has to do.
  const thinking = await ask({ tools, tool_choice: "required", enable_thinking: true }, model);
  assert.equal(thinking.model.jobs[0].constraint, undefined);
  const without = { ...model, profile: {}, features: ["tools"] as const };
  assert.equal((await ask({ tools, tool_choice: "required" }, without)).model.jobs[0].constraint, undefined);
});

test("ChatModel.chat() keeps calls of strict functions to their schemas", async () => {
  const strict = (parameters: unknown) => [{ type: "function", function: { name: "add", strict: true, parameters } }];
  const { model } = await ask({ tools: strict(schema) });
  const { constraint } = model.jobs[0];
  assert.equal(constraint?.kind === "tool_calls" && !constraint.forced, true);
  const odd = { type: "object", properties: { a: { uniqueItems: true } } };
  await refuses(
    "unsupported_parameter",
    "tools[0].function.parameters.properties.a.uniqueItems",
    ask({ tools: strict(odd) }),
  );
  const markup = "{% for m in messages %}{{ m.content }}{% endfor %}{{ tools }}<function=";
  await refuses(
    "unsupported_parameter",
    "tools[0].function.strict",
    ask({ tools: strict(schema) }, { template: markup }),
  );
});

test("ChatModel.chat() names a tool by its place in the request, whatever a choice has left", async () => {
  const tool = (name: string, strict: boolean, parameters: unknown = schema) => ({
    type: "function",
    function: { name, strict, parameters },
  });
  const odd = { type: "object", properties: { a: { uniqueItems: true } } };
  const tools = [tool("a", false), tool("b", false), tool("add", true, odd)];
  const path = "tools[2].function.parameters.properties.a.uniqueItems";
  const named = { type: "function", function: { name: "add" } };
  const allowed = (mode: string) => ({ type: "allowed_tools", allowed_tools: { mode, tools: [named] } });
  for (const tool_choice of ["auto", "required", named, allowed("auto"), allowed("required")]) {
    await refuses("unsupported_parameter", path, ask({ tools, tool_choice }));
  }
  const template = "{% for m in messages %}{{ m.content }}{% endfor %}{{ tools }}<function=";
  const strict = [tool("a", true), tool("b", false), tool("add", true)];
  const only = allowed("auto");
  await refuses(
    "unsupported_parameter",
    "tools[2].function.strict",
    ask({ tools: strict, tool_choice: only }, { template }),
  );
});

test("ChatModel.chat() names a response schema by the place that the client has put it in", async () => {
  const odd = { type: "object", properties: { a: { uniqueItems: true } } };
  const forms: [Record<string, unknown>, string][] = [
    [{ type: "json_object", schema: odd }, "schema"],
    [{ type: "json_object", json_schema: { schema: odd } }, "json_schema.schema"],
    [{ type: "json_schema", schema: odd, name: "n" }, "schema"],
  ];
  for (const [response_format, place] of forms) {
    const param = `response_format.${place}.properties.a.uniqueItems`;
    await assert.rejects(ask({ response_format }, { answer: () => '{"a":1}' }), {
      code: "unsupported_parameter",
      param,
    });
  }
});

test("ChatModel.chat() reports log probabilities with the region of each token", async () => {
  const { outcome } = await ask({ logprobs: true, top_logprobs: 1 }, { answer: () => "<think>a</think>é" });
  const { content, svc_capture_seconds, svc_summary } = outcome.logprobs!;
  assert.equal(svc_capture_seconds, 0.125);
  assert.equal(svc_summary.tokenCount, content.length);
  const regions = content.map(({ region }) => region);
  assert.deepEqual([regions[0], regions[7], regions.at(-1)], ["markup", "reasoning", "visible"]);
  assert.deepEqual([content[7].bytes, content.at(-2)?.bytes, content.at(-1)?.bytes], [[], [0xc3], [0xa9]]);
});

test("ChatModel.chat() hands drafts on when they are wanted", async () => {
  const drafts: unknown[] = [];
  const model = new FakeLanguageModel({ features: ["drafts"] });
  const generate = model.generate.bind(model);
  model.generate = (job, signal) => {
    job.onDraft?.([72, 105], { step: 1, totalSteps: 4, canvasIndex: 0, blockComplete: false });
    return generate(job, signal);
  };
  const chats = new ChatModel(model, { id: () => "0a1b2c3d", seed: () => 7 });
  const ask = (fields: object) =>
    chats.chat(
      readChatRequest({ model: "", messages: [{ role: "user", content: "Hi" }], ...fields }),
      options,
      { ...silent, onDraft: (draft) => drafts.push(draft) },
      forever,
    );
  await ask({});
  assert.deepEqual(drafts, []);
  await ask({ stream: true, svc_show_unmasking: true });
  assert.deepEqual(drafts, [{ text: "Hi", step: 1, total_steps: 4, canvas_index: 0, block_complete: false }]);
});

test("ChatModel.chat() rejects with the reason of its signal", async () => {
  const abort = new AbortController();
  const model = new FakeLanguageModel({
    beforeToken: (index) => Promise.resolve(index === 2 ? abort.abort(new Error("gone")) : undefined),
  });
  const chats = new ChatModel(model, { id: () => "", seed: () => 1 });
  const request = readChatRequest({ model: "", messages: [{ role: "user", content: "Hi" }] });
  await assert.rejects(chats.chat(request, options, silent, abort.signal), /gone/);
});

test("ChatModel.chat() reports how much of a prompt does not depend on its last message", async () => {
  const stable = async (messages: unknown[], template?: string) => {
    const { model } = await ask({ messages }, template === undefined ? {} : { template });
    const [{ prompt, stablePrefix }] = model.jobs;
    return model.decode(prompt.slice(0, stablePrefix));
  };
  const system = { role: "system", content: "Be brief." };
  const chat = [system, { role: "user", content: "Hi" }, { role: "assistant", content: "Yes?" }];
  assert.equal(await stable([system, { role: "user", content: "How?" }]), "<system>Be brief.<user>");
  assert.equal(
    await stable([...chat, { role: "user", content: "a long question ".repeat(20) }]),
    "<system>Be brief.<user>Hi<assistant>Yes?<user>",
  );
  assert.equal(await stable([{ role: "user", content: "" }]), "<user>");
  // A template that refuses other words than these.
  const picky = "{% if 'Hi' not in messages[-1].content %}{{ raise_exception('no') }}{% endif %}<user>Hi";
  assert.equal(await stable([{ role: "user", content: "Hi" }], picky), "");
  // A template that prints something of the last message first.
  assert.equal(await stable(chat.slice(0, 2), "{{ messages[-1].content }}|{{ messages[0].content }}"), "");
});
