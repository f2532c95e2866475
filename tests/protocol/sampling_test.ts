import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseToken, uniformAt } from "../../lib/protocol/sampling/choose_token.ts";
import { kthLargest, MIN_LOGPROB, tokenLogprobs } from "../../lib/protocol/sampling/token_logprobs.ts";
import {
  NEUTRAL_SAMPLING,
  policyLogits,
  type SamplingSettings,
  TokenHistory,
} from "../../lib/protocol/sampling/policy_logits.ts";
import { tokenDistribution } from "../../lib/protocol/sampling/token_distribution.ts";
import { referenceProbabilities } from "./sampling_reference.ts";

/** Logits with a heavy head, exact in 32 bits. */
function someLogits(seed: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => -4 * Math.log(uniformAt(seed, i) + 1e-9) - 6);
}

function history(prompt: readonly number[], generated: readonly number[]): TokenHistory {
  const result = new TokenHistory(prompt);
  for (const id of generated) result.add(id);
  return result;
}

const settings = (some: Partial<SamplingSettings>): SamplingSettings => ({ ...NEUTRAL_SAMPLING, ...some });

const cases: [string, Partial<SamplingSettings>][] = [
  ["nothing set", {}],
  ["a temperature below 1", { temperature: 0.3 }],
  ["a temperature above 1", { temperature: 1.9 }],
  ["top_k 1", { topK: 1 }],
  ["top_k 7", { topK: 7 }],
  ["top_k beyond the vocabulary", { topK: 1e6 }],
  ["top_p 0", { topP: 0 }],
  ["top_p 0.9", { topP: 0.9 }],
  ["top_p 0.999", { topP: 0.999 }],
  ["min_p 0.1", { minP: 0.1 }],
  ["min_p 1", { minP: 1 }],
  ["a presence penalty", { presencePenalty: 1.5 }],
  ["a negative frequency penalty", { frequencyPenalty: -0.7 }],
  ["a repetition penalty", { repetitionPenalty: 1.3 }],
  ["a bias", { logitBias: new Map([[3, 20], [4, -100], [9999, 1]]) }],
  ["everything", {
    temperature: 0.7,
    topK: 40,
    topP: 0.95,
    minP: 0.02,
    presencePenalty: 0.4,
    frequencyPenalty: 0.3,
    repetitionPenalty: 1.1,
    logitBias: new Map([[5, 2]]),
  }],
];

for (const [name, some] of cases) {
  // @row model-api > Chat rules > 9: penalties
  test(`tokenDistribution() equals the 64-bit reference with ${name}`, () => {
    for (let seed = 0; seed < 8; seed++) {
      const raw = someLogits(seed, 300);
      const prompt = [1, 2, 3, 12345];
      const generated = [2, 5, 5, 9, 5];
      const logits = policyLogits(raw, settings(some), history(prompt, generated));
      const { ids, weights, total } = tokenDistribution(logits, settings(some));
      const expected = referenceProbabilities([...raw], settings(some), prompt, generated);
      const actual = expected.map(() => 0);
      ids.forEach((id, i) => actual[id] = weights[i] / total);
      expected.forEach((p, id) =>
        assert.ok(Math.abs(p - actual[id]) < 1e-5, `seed ${seed}, ${id}: ${p} ${actual[id]}`)
      );
      assert.deepEqual([...ids], expected.flatMap((p, id) => p > 0 ? [id] : []), `seed ${seed}`);
    }
  });
}

test("chooseToken() never chooses a masked token", () => {
  const raw = someLogits(1, 70);
  const mask = new Int32Array(3);
  for (const id of [0, 31, 32, 69]) mask[id >> 5] |= 1 << (id & 31);
  const expected = referenceProbabilities([...raw], settings({}), [], [], (id) => [0, 31, 32, 69].includes(id));
  const { logits, truncation } = chooseToken(raw, settings({}), history([], []), 0.5, mask);
  const { ids, weights, total } = tokenDistribution(logits, truncation);
  assert.deepEqual([...ids], [0, 31, 32, 69]);
  ids.forEach((id, i) => assert.ok(Math.abs(weights[i] / total - expected[id]) < 1e-6));
});

test("chooseToken() says when no token is left", () => {
  const none = () => chooseToken(new Float32Array(8), settings({}), history([], []), 0.5, new Int32Array(1));
  assert.throws(none, /the largest logit is -Infinity/);
  const greedy = settings({ temperature: 0 });
  assert.throws(() => chooseToken(new Float32Array(8), greedy, history([], []), 0, new Int32Array(1)), RangeError);
  const broken = () => chooseToken(new Float32Array(8).fill(NaN), settings({}), history([], []), 0.5);
  assert.throws(broken, RangeError);
});

test("chooseToken() takes the likeliest token at temperature 0, of equals the first", () => {
  const greedy = settings({ temperature: 0, topK: 1, topP: 0 });
  assert.equal(chooseToken(new Float32Array([1, 5, 5, 2]), greedy, history([], []), 0.99).id, 1);
  const penalized = settings({ temperature: 0, presencePenalty: 2 });
  assert.equal(chooseToken(new Float32Array([1, 5, 5, 2]), penalized, history([], [1]), 0.99).id, 2);
});

test("chooseToken() chooses as often as the probabilities say", () => {
  const raw = new Float32Array([0, 1, 2, -Infinity, 0.5]);
  const expected = referenceProbabilities([...raw], settings({}), [], []);
  const counts = [0, 0, 0, 0, 0];
  const draws = 20_000;
  for (let i = 0; i < draws; i++) counts[chooseToken(raw, settings({}), history([], []), uniformAt(3, i)).id]++;
  const chi = expected.reduce((sum, p, id) => p === 0 ? sum : sum + (counts[id] - p * draws) ** 2 / (p * draws), 0);
  assert.ok(chi < 16.27, `chi squared ${chi} with 3 degrees of freedom`); // exceeded by chance once in a thousand
  assert.equal(counts[3], 0);
});

test("chooseToken() covers the whole range of random numbers", () => {
  const raw = someLogits(2, 50);
  for (const uniform of [0, 1 - 2 ** -53]) {
    assert.ok(chooseToken(raw, settings({}), history([], []), uniform).id < 50);
  }
});

// @row model-api > Chat rules > 9: penalties
test("policyLogits() counts a generated token once for presence and each time for frequency", () => {
  const some = settings({ presencePenalty: 0.5, frequencyPenalty: 0.25 });
  const logits = policyLogits(new Float32Array(4), some, history([0], [1, 2, 2]));
  assert.deepEqual([...logits], [0, -0.75, -1, 0]);
});

test("uniformAt() is even, repeatable and different for every seed and place", () => {
  const buckets = new Array(16).fill(0);
  const all = new Set<number>();
  for (let seed = 0; seed < 20; seed++) {
    for (let i = 0; i < 200; i++) {
      const u = uniformAt(seed, i);
      assert.ok(u >= 0 && u < 1 && u === uniformAt(BigInt(seed), i));
      buckets[Math.floor(u * 16)]++;
      all.add(u);
    }
  }
  assert.equal(all.size, 4000);
  const chi = buckets.reduce((sum, n) => sum + (n - 250) ** 2 / 250, 0);
  assert.ok(chi < 37.7, `chi squared ${chi} with 15 degrees of freedom`);
});

test("kthLargest() agrees with sorting, with equal numbers too", () => {
  for (let seed = 0; seed < 40; seed++) {
    const values = Float64Array.from({ length: 1 + seed * 3 }, (_, i) => Math.floor(uniformAt(seed, i) * 20));
    const sorted = [...values].sort((a, b) => b - a);
    for (let k = 1; k <= values.length; k++) assert.equal(kthLargest(values.slice(), k), sorted[k - 1]);
  }
});

test("tokenLogprobs() lists raw and policy probabilities, entropies and margins", () => {
  const raw = someLogits(4, 100);
  const some = settings({ temperature: 0.5, topK: 3 });
  const chosen = chooseToken(raw, some, history([], []), 0.2);
  const model = referenceProbabilities([...raw], settings({}), [], []);
  const policy = referenceProbabilities([...raw], some, [], []);
  const order = model.map((_, id) => id).sort((a, b) => model[b] - model[a]);
  const report = tokenLogprobs(raw, chosen, 5);
  const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-5, `${a} ${b}`);
  const entropy = (all: number[]) => -all.reduce((sum, p) => p > 0 ? sum + p * Math.log(p) : sum, 0);
  close(report.raw, Math.log(model[chosen.id]));
  close(report.policy, Math.log(policy[chosen.id]));
  close(report.rawEntropy, entropy(model));
  close(report.policyEntropy, entropy(policy));
  close(report.rawMargin, Math.log(model[order[0]] / model[order[1]]));
  close(report.policyMargin, Math.log(policy[order[0]] / policy[order[1]]));
  assert.deepEqual(report.top.map(({ id }) => id), order.slice(0, 5));
  assert.deepEqual(report.top.map(({ policy }) => policy === MIN_LOGPROB), [false, false, false, true, true]);
  assert.deepEqual(tokenLogprobs(raw, chosen, 0).top, []);
});

test("tokenLogprobs() stays finite when one token is certain", () => {
  const raw = new Float32Array([50, -Infinity, -1e30]);
  const report = tokenLogprobs(raw, chooseToken(raw, settings({ temperature: 0 }), history([], []), 0), 20);
  assert.deepEqual([report.raw, report.rawEntropy, report.rawMargin], [0, 0, -MIN_LOGPROB]);
  assert.equal(JSON.stringify(report).includes("null"), false);
});

test("no repetition penalty makes a logit infinite, at any temperature", () => {
  const raw = Float32Array.of(30, -30, 2, 1e4);
  for (const repetitionPenalty of [1e-38, 1e-30, 1e38]) {
    for (const temperature of [0, 1e-6, 1]) {
      const some = settings({ repetitionPenalty, temperature });
      const { id } = chooseToken(raw, some, history([0, 1, 3], []), 0.5);
      assert.ok(repetitionPenalty < 1 ? id === 0 || id === 3 : id === 2, `${id} at ${repetitionPenalty}`);
    }
  }
});
