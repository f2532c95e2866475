import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ggufAdapter } from "../../fixtures/tiny_models/gguf_adapter.ts";
import { DEFAULT_ANSWERS } from "../../fixtures/tiny_models/scripted_answers.ts";
import type { Constrainer, LanguageModel } from "../../../lib/engines/contract/language_model.ts";
import { ChatTemplate, readChatRequest } from "../../../lib/protocol/mod.ts";
import { withModelFiles } from "../../support/model_files.ts";
import { openTiny, say, withTiny } from "./open_tiny_gguf.ts";

const answerTo = (word: string): string => DEFAULT_ANSWERS.find(({ when }) => when === word)!.say;
const greeting = DEFAULT_ANSWERS.at(-1)!.say;
/** A model that says anything, so that every mistake changes what it says. */
const random = { script: false } as const;
const tokens = (count: number, seed: number): number[] => Array.from({ length: count }, (_, i) => (i * seed) % 200 + 7);

function ask(model: LanguageModel, text: string): string {
  const request = readChatRequest({ model: "", messages: [{ role: "user", content: text }] });
  return new ChatTemplate(model.template).render(request, new Date(0)).text;
}

/** Wants three certain tokens and then the end. */
class Speller implements Constrainer {
  readonly spelled = [72, 105, 33];
  end = -1;
  closed = 0;
  failing = false;

  constrain(): ReturnType<Constrainer["constrain"]> {
    let at = 0;
    return Promise.resolve({
      mask: () => {
        if (this.failing) return Promise.reject(new Error("a broken grammar"));
        const mask = new Int32Array(64);
        const allowed = this.spelled[at] ?? this.end;
        mask[allowed >> 5] = 1 << (allowed & 31);
        return Promise.resolve(mask);
      },
      accept: () => at++ < this.spelled.length,
      close: () => this.closed++,
    });
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {}
}

const speller = new Speller();
/** Opened once, since that takes longer than all of a test. */
let scripted: LanguageModel;
let solo: LanguageModel;
let pair: LanguageModel;

before(async () => {
  scripted = await openTiny({
    openConstrainer: ({ endTokens }) => {
      speller.end = endTokens[0];
      return speller;
    },
  });
  solo = await openTiny({ make: random, context: 1024 });
  pair = await openTiny({ make: random, concurrency: 2 });
});

after(() => Promise.all([scripted, solo, pair].map((model) => model.close())));

test("generate() says what the model says, up to the token that ends it", async () => {
  for (const word of ["story", "emoji"]) {
    const said = await say(scripted, ask(scripted, word));
    assert.equal(said.text, answerTo(word));
    assert.equal(said.reason, "stop");
  }
});

test("generate() runs quantised weights", async () => {
  await withTiny({ make: { weights: "q4_0" } }, async (model) => {
    assert.equal((await say(model, ask(model, "emoji"))).text, answerTo("emoji"));
  });
});

test("generate() ends when its tokens are used up, and when the caller stops", async () => {
  const prompt = ask(scripted, "hi");
  const whole = await say(scripted, prompt);
  const short = await say(scripted, prompt, { maxTokens: 5 });
  assert.deepEqual([short.reason, short.ids], ["length", whole.ids.slice(0, 5)]);
  let left = 3;
  const stopped = await say(scripted, prompt, { onToken: () => --left > 0 });
  assert.deepEqual([stopped.reason, stopped.ids], ["stop", whole.ids.slice(0, 3)]);
});

test("encode() encodes chat marks as single tokens and adds nothing, decode() leaves out what ends an answer", () => {
  const text = "<|im_start|>user\nnaïve 你好 👩‍👩‍👧 <|im_end|>\n";
  const ids = scripted.encode(text);
  const [start] = scripted.encode("<|im_start|>");
  assert.equal(ids.filter((id) => id === start).length, 1);
  assert.equal(scripted.decode(ids), text.replace("<|im_end|>", ""));
  const bytes = ids.flatMap((id) => [...scripted.bytesOf(id)]);
  assert.equal(new TextDecoder().decode(Uint8Array.from(bytes)), text);
  assert.deepEqual(scripted.encode(""), []);
});

// @row model-api > Engine behavior > 3: prefix reuse with a private copy for each request
test("generate() continues from the prefix that a prompt shares with an earlier one", async () => {
  const shared = tokens(300, 13);
  const other = [...shared, 5, 6, 7];
  await solo.trim();
  const expected = await say(solo, other, { maxTokens: 12 });
  await solo.trim();
  const before = solo.counters().prefixKVCache!;
  await say(solo, [...shared, 9, 9], { maxTokens: 4 });
  const said = await say(solo, other, { maxTokens: 12 });
  assert.deepEqual([said.cachedTokens, said.ids], [300, expected.ids]);
  const again = await say(solo, other, { maxTokens: 12 });
  assert.deepEqual([again.cachedTokens, again.ids], [302, expected.ids], "one token has to be evaluated");
  const after = solo.counters().prefixKVCache!;
  assert.deepEqual([after.enabled, after.entries, after.maxEntries], [true, 1, 4], "and room for three other chats");
  assert.deepEqual([after.hits - before.hits, after.misses - before.misses], [2, 1]);
  assert.equal(after.reusedTokens - before.reusedTokens, 602);
  assert.equal(after.storedTokens, 303 + 11);
});

// @row model-api > Engine behavior > 3: prefix reuse with a private copy for each request
test("generate() evaluates the whole prompt when beginnings are not kept", async () => {
  await withTiny({ make: random, prefixCache: false }, async (model) => {
    const { ids } = await say(model, tokens(40, 3), { maxTokens: 4 });
    const again = await say(model, tokens(40, 3), { maxTokens: 4 });
    assert.deepEqual([again.cachedTokens, again.ids], [0, ids]);
    const { enabled, maxEntries, storedTokens } = model.counters().prefixKVCache!;
    assert.deepEqual([enabled, maxEntries, storedTokens], [false, 0, 0]);
  });
});

test("generate() reports the prompt piece by piece", async () => {
  await solo.trim();
  assert.deepEqual((await say(solo, tokens(600, 3), { maxTokens: 1 })).prefill, [256, 512, 600]);
  assert.deepEqual((await say(solo, tokens(700, 3), { maxTokens: 1 })).prefill, [700]);
});

test("generate() fills the context to the last token", async () => {
  assert.equal(solo.profile.context, 1024);
  const said = await say(solo, tokens(1000, 3), { maxTokens: 24 });
  const rest = await say(solo, [...tokens(1000, 3), ...said.ids.slice(0, 23)], { maxTokens: 1 });
  assert.deepEqual([rest.cachedTokens, rest.ids], [1022, said.ids.slice(23)]);
});

// @row model-api > Engine behavior > 5: batched decoding, reported as steps
test("generate() computes several answers together, each as if it were alone", async () => {
  const prompts = [tokens(9, 3), tokens(40, 5), tokens(9, 7), tokens(120, 11), tokens(30, 13), tokens(9, 17)];
  const alone: number[][] = [];
  for (const prompt of prompts) alone.push((await say(pair, prompt, { maxTokens: 20 })).ids);
  await pair.trim();
  const before = pair.counters().continuousBatching!;
  const together = await Promise.all(prompts.map((prompt) => say(pair, prompt, { maxTokens: 20 })));
  assert.deepEqual(together.map(({ ids }) => ids), alone);
  const after = pair.counters().continuousBatching!;
  const steps = after.batchedDecodeSteps - before.batchedDecodeSteps;
  assert.equal(after.maxBatchSize, 2);
  assert.ok(steps >= 2 * 19, `${steps} steps`);
  assert.equal(after.totalBatchedRows - before.totalBatchedRows, 2 * steps);
  assert.equal(after.samePositionBatchedSteps + after.variablePositionBatchedSteps, after.batchedDecodeSteps);
  assert.deepEqual([after.activeRows, after.queuedRows], [0, 0]);
  assert.deepEqual([pair, solo].map((model) => model.counters().continuousBatching!.enabled), [true, false]);
});

test("generate() lets answers wait for a place, first come, first served", async () => {
  const ends: number[] = [];
  const jobs = [0, 1, 2, 3, 4].map((i) => say(pair, tokens(9, 3 + i), { maxTokens: 6 }).then(() => ends.push(i)));
  assert.equal(pair.counters().continuousBatching?.queuedRows, 3);
  await Promise.all(jobs);
  assert.deepEqual(ends, [0, 1, 2, 3, 4]);
});

test("generate() takes the place whose tokens serve best", async () => {
  const [first, second] = [tokens(100, 3), tokens(100, 5)];
  const cached = async (prompt: readonly number[]) => (await say(pair, prompt, { maxTokens: 1 })).cachedTokens;
  await pair.trim();
  await cached(first);
  await cached(second);
  assert.equal(await cached([...first, 1]), 100);
  assert.equal(await cached([...second, 1]), 100);
  assert.equal(await cached([...second.slice(0, 60), ...tokens(20, 7)]), 60);
});

test("generate() keeps chats that take turns, though one runs at a time", async () => {
  await solo.trim();
  const shared = tokens(40, 3);
  const chats = [5, 7, 11].map((seed) => [...shared, ...tokens(120, seed)]);
  for (let turn = 0; turn < 3; turn++) {
    for (const [i, chat] of chats.entries()) {
      const said = await say(solo, chat, { maxTokens: 4 });
      assert.equal(said.cachedTokens, turn === 0 ? 0 : chat.length - 1, `chat ${i}, turn ${turn}`);
      chats[i] = [...chat, ...said.ids.slice(0, 3), 9];
    }
  }
});

test("generate() stops at once when it is aborted, and leaves its place to others", async () => {
  await solo.trim();
  const expected = await say(solo, tokens(600, 3), { maxTokens: 8 });
  await solo.trim();
  const prefill = new AbortController();
  const pieces: number[] = [];
  const onPrefill = (done: number) => {
    pieces.push(done);
    prefill.abort(new Error("enough of this prompt"));
  };
  await assert.rejects(say(solo, tokens(600, 3), { onPrefill, signal: prefill.signal }), /enough of this prompt/);
  assert.deepEqual(pieces, [256]);
  const decode = new AbortController();
  let count = 0;
  const onToken = () => {
    if (++count === 4) decode.abort(new Error("enough of this answer"));
    return true;
  };
  const waiting = new AbortController();
  const long = say(solo, tokens(600, 3), { onToken, signal: decode.signal });
  const queued = say(solo, tokens(9, 3), { signal: waiting.signal });
  const last = say(solo, tokens(600, 3), { maxTokens: 8 });
  waiting.abort(new Error("enough of waiting"));
  await assert.rejects(queued, /enough of waiting/);
  await assert.rejects(long, /enough of this answer/);
  assert.equal(count, 4);
  assert.deepEqual((await last).ids, expected.ids);
  await assert.rejects(say(solo, tokens(9, 3), { signal: decode.signal }), /enough of this answer/);
  assert.equal(solo.counters().continuousBatching?.activeRows, 0);
});

test("generate() says the same for the same seed", async () => {
  for (const sampling of [{ temperature: 1 }, { temperature: 0.7, topK: 40 }, { temperature: 0.8, topP: 0.9 }]) {
    const sampled = (seed: number) => say(solo, tokens(9, 3), { maxTokens: 12, sampling, seed });
    const { ids } = await sampled(1);
    assert.deepEqual((await sampled(1)).ids, ids);
    assert.notDeepEqual((await sampled(2)).ids, ids);
    assert.notDeepEqual((await sampled(2 ** 40 + 1)).ids, ids);
  }
});

test("generate() reports log probabilities", async () => {
  const said = await say(scripted, ask(scripted, "hi"), { topLogprobs: 3 });
  assert.equal(said.text, greeting);
  for (const [i, logprobs] of said.logprobs.entries()) {
    assert.equal(logprobs?.id, said.ids[i]);
    assert.equal(logprobs.top.length, 3);
    assert.equal(logprobs.top[0].id, said.ids[i]);
    assert.ok(logprobs.raw <= 0 && logprobs.raw > -1);
  }
  assert.ok(said.captureSeconds! > 0);
  assert.equal((await say(scripted, ask(scripted, "hi"))).captureSeconds, undefined);
});

test("generate() keeps to a constraint, and closes it", async () => {
  const constraint = { kind: "json_object" } as const;
  const prompt = ask(scripted, "hi");
  for (const sampling of [{}, { temperature: 1 }]) {
    const said = await say(scripted, prompt, { constraint, sampling });
    assert.deepEqual([said.ids, said.reason], [speller.spelled, "stop"]);
  }
  assert.equal(speller.closed, 2);
  speller.failing = true;
  await assert.rejects(say(scripted, prompt, { constraint }), /a broken grammar/);
  assert.equal(speller.closed, 3);
  assert.equal((await say(scripted, prompt)).text, greeting);
});

// @row model-api > Runtime settings > `kvCacheMode`
test("openGgufTextModel() keeps states in 8 or 4 bits", async () => {
  const logprobOf = async (model: LanguageModel): Promise<number> =>
    (await say(model, tokens(60, 3), { maxTokens: 1, topLogprobs: 0 })).logprobs[0]!.raw;
  const exact = await logprobOf(solo);
  const errors: number[] = [];
  for (const kvCacheMode of ["affine8", "affine4"] as const) {
    await withTiny({ make: random, kvCacheMode }, async (model) => {
      errors.push(Math.abs(await logprobOf(model) - exact));
    });
  }
  assert.ok(errors[0] > 0 && errors[0] < 0.02, `${errors}`);
  assert.ok(errors[1] > errors[0] && errors[1] < 0.5, `${errors}`);
});

// @row model-api > Options > `--lora`: at startup only
test("openGgufTextModel() takes an adapter", async () => {
  const at = (word: string) => DEFAULT_ANSWERS.findIndex(({ when }) => when === word);
  const from = DEFAULT_ANSWERS.length - 1;
  await withModelFiles(ggufAdapter({ from, to: at("emoji") }), async (files) => {
    await withTiny({ lora: files.path(files.names[0]) }, async (model) => {
      assert.equal((await say(model, ask(model, "hi"))).text, answerTo("emoji"));
      assert.equal((await say(model, ask(model, "story"))).text, answerTo("story"));
      await model.trim();
      assert.equal((await say(model, ask(model, "hi"))).text, answerTo("emoji"));
    });
  });
});

test("trim() gives states back, but not those in use", async () => {
  const prompt = tokens(50, 3);
  await solo.trim();
  await solo.trim();
  assert.equal(solo.counters().prefixKVCache?.storedTokens, 0);
  const first = await say(solo, prompt, { maxTokens: 8, onPrefill: () => void solo.trim() });
  const second = await say(solo, prompt, { maxTokens: 8 });
  assert.deepEqual([first.cachedTokens, second.cachedTokens], [0, 49]);
  assert.deepEqual(first.ids, second.ids);
});
