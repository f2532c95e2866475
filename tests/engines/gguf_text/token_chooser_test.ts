import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { LlamaContextSequence, Token } from "node-llama-cpp";
import { ggufChatModel } from "../../fixtures/tiny_models/gguf_chat_model.ts";
import { type NextAnswer, type NextQuery, TokenChooser } from "../../../lib/engines/gguf_text/token_chooser.ts";
import { openLlama } from "../../../lib/engines/gguf_text/open_llama.ts";
import { drawCertain, NO_MASS } from "../../../lib/engines/gguf_text/draw_certain.ts";
import {
  NEUTRAL_SAMPLING,
  policyLogits,
  type SamplingSettings,
  TokenHistory,
} from "../../../lib/protocol/sampling/policy_logits.ts";
import { chooseToken, uniformAt } from "../../../lib/protocol/sampling/choose_token.ts";
import { tokenDistribution } from "../../../lib/protocol/sampling/token_distribution.ts";
import { tokenLogprobs } from "../../../lib/protocol/sampling/token_logprobs.ts";
import { withModelFiles } from "../../support/model_files.ts";

const PROMPT = [70, 71, 72, 70, 90];
/** Said before the token that is chosen. */
const SAID = [33, 34, 33];

let ask: (query: NextQuery) => Promise<NextAnswer>;
let raw: Float32Array;
let close: () => Promise<void>;

before(async () => {
  const { llama } = await openLlama("cpu");
  let sequence: LlamaContextSequence | undefined;
  await withModelFiles(ggufChatModel({ script: false }), async (files) => {
    const model = await llama.loadModel({ modelPath: files.path(files.names[0]), useMmap: false });
    close = () => model.dispose();
    const context = await model.createContext({ contextSize: 64, threads: 1 });
    sequence = context.getSequence();
  });
  ask = async (generateNext) => {
    await sequence!.clearHistory();
    const tokens = [...PROMPT, ...SAID] as Token[];
    const answers = await sequence!.controlledEvaluate([...tokens.slice(0, -1), [tokens.at(-1)!, { generateNext }]]);
    return answers[tokens.length - 1]!.next;
  };
  const { logits } = await ask({ logits: true, options: { temperature: 0 } });
  raw = new Float32Array(logits!.size);
  for (const [id, logit] of logits!) raw[id] = logit;
});

after(() => close());

function chooser(sampling: Partial<SamplingSettings>, seed: number, others: { topLogprobs?: number } = {}) {
  const settings = { ...NEUTRAL_SAMPLING, ...sampling };
  const topLogprobs = others.topLogprobs;
  const prompt = PROMPT;
  const made = new TokenChooser({
    prompt,
    sampling: settings,
    seed,
    topLogprobs,
    size: raw.length,
    repeatable: true,
    candidates: 60,
  });
  for (const id of SAID) made.accept(id);
  return { settings, chooser: made };
}

function history(): TokenHistory {
  const said = new TokenHistory(PROMPT);
  for (const id of SAID) said.add(id);
  return said;
}

/** Chooses as an answer does, with a second try. */
async function choose(made: TokenChooser, mask?: Int32Array): Promise<{ id: number; tries: number }> {
  const first = made.way(mask);
  const found = first.read(await ask(first.query));
  if (found !== undefined) return { id: found.id, tries: 1 };
  made.fail();
  const second = made.way(mask);
  return { id: second.read(await ask(second.query))!.id, tries: 2 };
}

/** Chooses with many seeds, and compares with the distribution of lib/protocol. */
async function assertDistribution(sampling: Partial<SamplingSettings>, mask?: Int32Array): Promise<number> {
  const SEEDS = 300;
  const { settings } = chooser(sampling, 0);
  const logits = policyLogits(raw, settings, history(), mask);
  const { ids, weights, total } = tokenDistribution(logits, settings);
  const probability = new Map([...ids].map((id, i) => [id, weights[i] / total]));
  const counts = new Map<number, number>();
  let tries = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const chosen = await choose(chooser(sampling, seed).chooser, mask);
    counts.set(chosen.id, (counts.get(chosen.id) ?? 0) + 1);
    tries += chosen.tries;
  }
  for (const id of counts.keys()) assert.ok(probability.has(id), `token ${id} cannot be chosen`);
  for (const [id, p] of probability) {
    const error = Math.abs((counts.get(id) ?? 0) / SEEDS - p);
    assert.ok(error < 4.5 * Math.sqrt((p * (1 - p)) / SEEDS) + 1 / SEEDS, `token ${id}: ${counts.get(id)}, p ${p}`);
  }
  return tries / SEEDS;
}

function maskOf(allowed: (id: number) => boolean): Int32Array {
  const mask = new Int32Array(Math.ceil(raw.length / 32));
  for (let id = 0; id < raw.length; id++) if (allowed(id)) mask[id >> 5] |= 1 << (id & 31);
  return mask;
}

/** Sharp enough that a few tokens have most of the mass. */
const SHARP = 0.15;

test("TokenChooser chooses the likeliest token at temperature 0, after penalties", async () => {
  const variants = [
    {},
    { repetitionPenalty: 3 },
    { presencePenalty: 2, frequencyPenalty: 1 },
    { presencePenalty: -2, frequencyPenalty: -2 },
    { logitBias: new Map([[40, 100]]) },
    { repetitionPenalty: 0.2, presencePenalty: -1 },
  ];
  const mask = maskOf((id) => id % 3 === 0);
  for (const variant of variants) {
    const { settings, chooser: made } = chooser({ temperature: 0, ...variant }, 1);
    const expected = (mask?: Int32Array) => chooseToken(raw, settings, history(), 0, mask).id;
    assert.equal((await choose(made)).id, expected(), JSON.stringify(variant));
    assert.equal((await choose(made, mask)).id, expected(mask), `${JSON.stringify(variant)} with a mask`);
  }
});

test("TokenChooser leaves to llama.cpp what means the same there", async () => {
  assert.equal(await assertDistribution({}), 1);
  assert.equal(await assertDistribution({ temperature: SHARP }), 1);
  assert.equal(await assertDistribution({ topP: 0.3 }), 1);
  assert.equal(await assertDistribution({ temperature: SHARP, minP: 0.05 }), 1);
  const { query } = chooser({ temperature: SHARP, minP: 0.05 }, 0).chooser.way(undefined);
  assert.ok("token" in query);
  // With 0 all tokens would be sorted, undefined would keep 40.
  assert.equal(query.options!.topK, null);
});

test("TokenChooser cuts after it scales", async () => {
  assert.equal(await assertDistribution({ temperature: SHARP, topK: 5 }), 1);
  assert.equal(await assertDistribution({ temperature: SHARP, topK: 20, topP: 0.7, minP: 0.02 }), 1);
  assert.ok(await assertDistribution({ temperature: SHARP, topP: 0.8 }) < 1.5);
  assert.ok(await assertDistribution({ temperature: 1.5, topP: 0.8 }) > 1.5, "most mass lies beyond the candidates");
});

test("TokenChooser samples with penalties", async () => {
  await assertDistribution({ temperature: SHARP, repetitionPenalty: 1.5 });
  await assertDistribution({ temperature: SHARP, presencePenalty: -0.5, frequencyPenalty: -0.2, topK: 6 });
  await assertDistribution({ temperature: SHARP, topP: 0.8, repetitionPenalty: 1.5, presencePenalty: 0.1 });
  await assertDistribution({ temperature: SHARP, logitBias: new Map([[40, 1], [41, -1]]) });
});

test("TokenChooser bounds the mass of what llama.cpp has not sorted", () => {
  const size = 50_000;
  const sampling = { ...NEUTRAL_SAMPLING, temperature: 0.7, topP: 0.5 };
  let certain = 0;
  for (let seed = 0; seed < 60; seed++) {
    // Of peaked distributions and flat ones.
    const logits = Float32Array.from(
      { length: size },
      (_, id) => -(0.6 + seed / 120) * Math.log(uniformAt(seed, id) + 1e-9),
    );
    const made = new TokenChooser({ prompt: [], sampling, seed, topLogprobs: undefined, size, repeatable: true });
    const { query, read } = made.way(undefined);
    const { topK, temperature } = query.options!;
    assert.ok(topK! < size);
    const scored = [...logits].map((logit, id) => [id as Token, logit / temperature!] as const);
    const all = scored.sort(([a, x], [b, y]) => y - x || a - b);
    const sorted = all.slice(0, topK);
    const totalLogitWeight = sorted.reduce((sum, [, logit]) => sum + Math.exp(logit - sorted[0][1]), 0);
    const found = read({ logits: new Map(sorted.slice(0, 1024)), totalLogitWeight });
    if (found === undefined) continue;
    certain++;
    assert.equal(found.id, drawCertain(all, all[0][1], NO_MASS, sampling, uniformAt(seed, 0)), `seed ${seed}`);
  }
  assert.ok(certain > 10 && certain < 60, `${certain} of 60`);
});

test("TokenChooser keeps to a mask", async () => {
  const half = maskOf((id) => id % 2 === 0);
  await assertDistribution({ temperature: SHARP }, half);
  await assertDistribution({ temperature: SHARP, topP: 0.8, topK: 30 }, half);
  const few = maskOf((id) => id % 100 === 7);
  assert.equal(await assertDistribution({ temperature: SHARP, topP: 0.8 }, few), 1);
});

test("TokenChooser finds an allowed token however unlikely it is", async () => {
  const { chooser: made } = chooser({ temperature: 0 }, 1);
  assert.deepEqual(await choose(made, maskOf((id) => id === 12)), { id: 12, tries: 1 });
  const unlikely = [...raw.keys()].sort((a, b) => raw[a] - raw[b]).slice(0, 100);
  const expected = unlikely[99];
  assert.deepEqual(await choose(made, maskOf((id) => unlikely.includes(id))), { id: expected, tries: 2 });
});

test("TokenChooser stops trying where it fails often", async () => {
  const { chooser: made } = chooser({ temperature: 1.5, topP: 0.99 }, 3);
  let tries = 0;
  for (let i = 0; i < 20; i++) {
    const chosen = await choose(made);
    tries += chosen.tries;
    made.accept(chosen.id);
  }
  assert.ok(tries > 21 && tries < 30, `${tries}`);
});

test("TokenChooser reports log probabilities of the whole distribution", async () => {
  const { settings, chooser: made } = chooser({ temperature: SHARP, topP: 0.9 }, 4, { topLogprobs: 5 });
  const way = made.way(undefined);
  const choice = way.read(await ask(way.query))!;
  const expected = chooseToken(raw, settings, history(), uniformAt(4, SAID.length));
  assert.equal(choice.id, expected.id);
  assert.deepEqual(choice.logprobs, tokenLogprobs(raw, expected, 5));
  assert.ok(made.captureSeconds > 0);
});

test("TokenChooser tries nothing twice where states cannot be taken back", () => {
  const sampling = { ...NEUTRAL_SAMPLING, temperature: 0.5, topP: 0.5 };
  const fixed = { prompt: [], sampling, seed: 1, topLogprobs: undefined, size: 100_000 };
  const query = (repeatable: boolean) => new TokenChooser({ ...fixed, repeatable }).way(undefined).query;
  assert.equal(query(false).logits, true);
  assert.deepEqual(query(true).logits, { filter: { tokens: [], includeTop: 1024 } });
});
