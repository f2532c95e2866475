import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatListener, ChatOptions } from "../../../lib/engines/contract/chat_engine.ts";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import { type ChatRequest, NEUTRAL_SAMPLING, type RawPrompt, readChatRequest } from "../../../lib/protocol/mod.ts";
import { FakeLanguageModel } from "../../support/fake_language_model.ts";

const options: ChatOptions = {
  context: 64,
  presetMaxTokens: 16,
  defaults: { ...NEUTRAL_SAMPLING, temperature: 0 },
  now: 0,
  images: [],
};
const silent: ChatListener = { onPrefill: () => {}, onText: () => {}, onDraft: () => {}, onTokens: () => {} };
const forever = new AbortController().signal;
const random = { id: () => "0a1b2c3d", seed: () => 7 };

/** A model with a mark at the start of its chats, and marks for what is in the middle if it is given any. */
class MarkedModel extends FakeLanguageModel {
  readonly #marks: readonly string[];

  constructor(marks: readonly string[] = []) {
    super({ template: "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>" });
    Object.assign(this.template, { tokens: { bos_token: "<s>" } });
    this.#marks = marks;
  }

  override encode(text: string): readonly number[] {
    return this.#marks.includes(text) ? [200] : super.encode(text);
  }
}

function raw(rawPrompt: RawPrompt): ChatRequest {
  const request = readChatRequest({ model: "", messages: [{ role: "user", content: "x" }] });
  return { ...request, messages: [], rawPrompt };
}

async function promptOf(model: FakeLanguageModel, rawPrompt: RawPrompt): Promise<string> {
  await new ChatModel(model, random).chat(raw(rawPrompt), options, silent, forever);
  return model.decode(model.jobs[0].prompt);
}

test("a raw prompt is continued without a template, after the mark that begins the model's chats", async () => {
  assert.equal(await promptOf(new MarkedModel(), { text: "one two" }), "<s>one two");
  assert.equal(await promptOf(new MarkedModel(), { text: "<s>one" }), "<s>one");
  assert.equal(await promptOf(new FakeLanguageModel(), { text: "one two" }), "one two");
  assert.equal(await promptOf(new MarkedModel(), { tokens: [111, 110, 101] }), "one");
});

// @row dialects > Completions > `suffix`
test("a suffix stands between the model's marks for what is in the middle, and is refused without them", async () => {
  const marks = ["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"];
  assert.equal(
    await promptOf(new MarkedModel(marks), { text: "a(", suffix: ")b" }),
    "<s><|fim_prefix|>a(<|fim_suffix|>)b<|fim_middle|>",
  );
  await assert.rejects(promptOf(new MarkedModel(), { text: "a(", suffix: ")b" }), {
    code: "unsupported_parameter",
    param: "suffix",
  });
});

// @row dialects > Completions > a prompt that is too long, both numbers
test("a raw prompt without tokens, with foreign ones or too many is refused in its own words", async () => {
  await assert.rejects(promptOf(new FakeLanguageModel(), { text: "" }), { code: "invalid_prompt", param: "prompt" });
  await assert.rejects(promptOf(new FakeLanguageModel(), { tokens: [1, 999] }), {
    code: "invalid_prompt",
    param: "prompt[1]",
    message: 'Cannot complete the prompt: "prompt[1]" is 999, expected a token of the model',
  });
  await assert.rejects(promptOf(new FakeLanguageModel(), { text: "a".repeat(70) }), {
    code: "context_length_exceeded",
    param: "prompt",
    message: /the prompt has 70 tokens, expected fewer than 64/,
  });
});

test("what looks like reasoning in the answer to a raw prompt is text like any other", async () => {
  const model = new FakeLanguageModel({ answer: () => "<think>x</think>y" });
  const { answer } = await new ChatModel(model, random).chat(raw({ text: "a" }), options, silent, forever);
  assert.equal(answer.message.content, "<think>x</think>y".slice(0, 16));
});

// @row dialects > Tokens > the prompt of a chat, from the real template
test("ChatModel.look() encodes with and without marks, decodes, and renders as chats are rendered", async () => {
  const model = new MarkedModel();
  const chats = new ChatModel(model, random);
  const text = async (marks: boolean) => {
    const { tokens } = await chats.look({ kind: "encode", text: "one", marks, pieces: false }, {}, forever);
    return model.decode(tokens);
  };
  assert.deepEqual([await text(false), await text(true)], ["one", "<s>one"]);
  const decoded = await chats.look({ kind: "decode", tokens: [111, 110] }, {}, forever);
  assert.deepEqual([decoded.text, decoded.count, decoded.pieces], ["on", 2, []]);
  const { pieces } = await chats.look({ kind: "encode", text: "on", marks: false, pieces: true }, {}, forever);
  assert.deepEqual(pieces.map(([byte]) => byte), [111, 110]);
  await assert.rejects(chats.look({ kind: "decode", tokens: [300] }, {}, forever), { param: "tokens[0]" });
  const request = readChatRequest({ model: "", messages: [{ role: "user", content: "Hi" }] });
  const rendered = await chats.look({ kind: "render", request, now: 0, images: [] }, {}, forever);
  assert.equal(rendered.text, "<s><user>Hi<assistant>");
  const long = readChatRequest({ model: "", messages: [{ role: "user", content: "x".repeat(100_000) }] });
  await assert.rejects(chats.look({ kind: "render", request: long, now: 0, images: [] }, {}, forever), {
    code: "context_length_exceeded",
  });
  const { promptTokens } = await chats.chat(request, options, silent, forever);
  assert.equal(rendered.count, promptTokens);
});
