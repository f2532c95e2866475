import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import { openGgufTextModel } from "../../../lib/engines/gguf_text/open_gguf_text_model.ts";
import type { LanguageModel } from "../../../lib/engines/contract/language_model.ts";
import { decoderMetadata, ggufChatModel } from "../../fixtures/tiny_models/gguf_chat_model.ts";
import { ggufFile, type GgufValue } from "../../fixtures/tiny_models/gguf_file.ts";
import { TINY_SHAPE } from "../../fixtures/tiny_models/transformer_weights.ts";
import { withModelFiles } from "../../support/model_files.ts";
import { say, settings } from "./open_tiny_gguf.ts";

const random = ggufChatModel({ script: false })["tiny-chat.gguf"];
const tokens = (count: number, seed: number): number[] => Array.from({ length: count }, (_, i) => (i * seed) % 200 + 7);

async function open(draft: Uint8Array | undefined, options = {}): Promise<LanguageModel> {
  let model: LanguageModel | undefined;
  await withFiles(draft, async (files, its) => {
    model = await openGgufTextModel(files, { ...settings, ...options }, its);
  });
  return model!;
}

async function withFiles(draft: Uint8Array | undefined, work: (a: ModelFiles, b?: ModelFiles) => Promise<void>) {
  await withModelFiles({ "m.gguf": random }, async (files) => {
    if (draft === undefined) await work(files);
    else await withModelFiles({ "d.gguf": draft }, (its) => work(files, its));
  });
}

let alone: LanguageModel;
/** Its draft says what it says. */
let same: LanguageModel;
/** Its draft says something else. */
let other: LanguageModel;

before(async () => {
  alone = await open(undefined);
  same = await open(random, { concurrency: 2 });
  const drafts = ggufChatModel({ script: false, seed: 5, sizes: { context: 300, layers: 1 } })["tiny-chat.gguf"];
  other = await open(drafts);
});
after(() => Promise.all([alone, same, other].map((model) => model.close())));

const jobs = [
  {},
  { sampling: { temperature: 1 } },
  { sampling: { temperature: 0.7, topK: 40 } },
  { sampling: { temperature: 0.8, topP: 0.9 } },
  { sampling: { temperature: 0.9, repetitionPenalty: 1.1 } },
];

// @row model-api > Runtime settings > `draftModel`: a smaller model that drafts, with the same answers
test("generate() says with a draft model what it says without, greedy or sampled", async () => {
  for (const [i, job] of jobs.entries()) {
    const prompt = tokens(9 + 40 * i, 3 + i);
    const expected = await say(alone, prompt, { ...job, maxTokens: 48 });
    for (const model of [same, other]) {
      const said = await say(model, prompt, { ...job, maxTokens: 48 });
      assert.deepEqual([said.ids, said.reason], [expected.ids, expected.reason], JSON.stringify(job));
      // What is left behind is the text, and nothing that was guessed.
      const again = await say(model, [...prompt, ...said.ids.slice(0, -1), 9], { maxTokens: 1 });
      assert.equal(again.cachedTokens, prompt.length + said.ids.length - 1);
    }
  }
});

test("counters() report how many of the drafted tokens were right", async () => {
  const count = async (model: LanguageModel) => {
    const before = model.counters().mtp!;
    await say(model, tokens(20, 7), { maxTokens: 64 });
    const { rounds, draftedTokens, acceptedTokens, rejectedTokens, available, enabled, active } = model.counters().mtp!;
    assert.deepEqual([available, enabled, active, draftedTokens], [true, true, false, acceptedTokens + rejectedTokens]);
    return [rounds - before.rounds, draftedTokens - before.draftedTokens, acceptedTokens - before.acceptedTokens];
  };
  const [rounds, drafted, accepted] = await count(same);
  assert.ok(accepted === drafted && accepted > 50 && rounds < 12, `${rounds} rounds, ${accepted} of ${drafted}`);
  const [, tried, right] = await count(other);
  assert.ok(right < tried && tried < 40, `${right} of ${tried}: what is of no use pauses`);
  assert.equal(alone.counters().mtp, undefined);
});

test("generate() drafts for several answers at a time, stops at a word and at once", async () => {
  const prompts = [tokens(30, 3), tokens(12, 11), tokens(40, 5)];
  const expected: number[][] = [];
  for (const prompt of prompts) expected.push((await say(alone, prompt, { maxTokens: 20 })).ids);
  const together = await Promise.all(prompts.map((prompt) => say(same, prompt, { maxTokens: 20 })));
  assert.deepEqual(together.map(({ ids }) => ids), expected);
  let left = 7;
  const stopped = await say(same, prompts[0], { maxTokens: 20, onToken: () => --left > 0 });
  assert.deepEqual([stopped.reason, stopped.ids], ["stop", expected[0].slice(0, 7)]);
  const abort = new AbortController();
  const onToken = () => {
    abort.abort(new Error("enough"));
    return true;
  };
  await assert.rejects(say(same, prompts[0], { onToken, signal: abort.signal }), /enough/);
  assert.deepEqual((await say(same, prompts[0], { maxTokens: 20 })).ids, expected[0]);
  await same.trim();
  assert.deepEqual((await say(same, prompts[0], { maxTokens: 20 })).ids, expected[0]);
});

test("generate() does without the draft where a text is too long for it", async () => {
  const { rounds } = other.counters().mtp!;
  const prompt = tokens(290, 3);
  const { ids } = await say(other, prompt, { maxTokens: 20 });
  assert.deepEqual(ids, (await say(alone, prompt, { maxTokens: 20 })).ids);
  assert.equal(other.counters().mtp!.rounds, rounds);
});

test("openGgufTextModel() refuses drafts with other tokens, and files that are not models", async () => {
  const tiny = (words: readonly string[], more: Record<string, GgufValue> = {}): Uint8Array =>
    ggufFile({
      ...decoderMetadata({ ...TINY_SHAPE, vocabulary: words.length }),
      "tokenizer.ggml.model": "gpt2",
      "tokenizer.ggml.tokens": words,
      "tokenizer.chat_template": "{{ messages }}",
      ...more,
    }, []);
  const refused: [Uint8Array, RegExp][] = [
    [tiny(["a", "b"]), /Cannot use the draft model: it has 2 tokens and the model \d+, expected the vocabulary/],
    [tiny(["a"], { "tokenizer.ggml.model": "llama" }), /its tokenizer is llama and the model's gpt2/],
    [new Uint8Array(64), /Cannot read d\.gguf/],
  ];
  for (const [draft, why] of refused) await assert.rejects(open(draft), why);
});
