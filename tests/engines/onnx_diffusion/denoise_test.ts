import assert from "node:assert/strict";
import { test } from "node:test";
import { denoise, type DenoisingJob } from "../../../lib/engines/onnx_diffusion/denoise.ts";
import type { DraftStep } from "../../../lib/engines/contract/language_model.ts";
import { NEUTRAL_SAMPLING } from "../../../lib/protocol/mod.ts";
import { seededRandom } from "../../support/random.ts";

const WIDTH = 8;
const MASK = 7;
const END = 6;
const never = new AbortController().signal;

interface Heard {
  readonly tokens: number[];
  readonly drafts: { readonly ids: readonly number[]; readonly draft: DraftStep }[];
  readonly judged: (readonly number[])[];
}

/** Logits by what a place says: `sure[at]` of token `says[at]`, and even surer of a mask. */
function scripted(says: readonly number[], sure: readonly number[], changes: Partial<DenoisingJob> = {}) {
  const heard: Heard = { tokens: [], drafts: [], judged: [] };
  const job: DenoisingJob = {
    prompt: [1, 2],
    length: says.length,
    sampling: { ...NEUTRAL_SAMPLING, temperature: 0 },
    seed: 1,
    maskToken: MASK,
    endTokens: new Set([END]),
    canvasTokens: 4,
    steps: 4,
    shifted: false,
    judge: (ids) => {
      heard.judged.push(ids);
      const data = new Float32Array(ids.length * WIDTH);
      for (const [at, id] of says.entries()) {
        const row = job.prompt.length + at - (job.shifted ? 1 : 0);
        data[row * WIDTH + id] = sure[at];
        data[row * WIDTH + MASK] = 20;
      }
      return Promise.resolve({ data, width: WIDTH });
    },
    onStep: (ids, draft) => heard.drafts.push({ ids, draft }),
    onToken: (id) => heard.tokens.push(id) > 0,
    ...changes,
  };
  return { job, heard };
}

test("denoise() fills the surest places first, canvas by canvas, and reports tokens in order", async () => {
  const { job, heard } = scripted([0, 1, 2, 3, 4, 5], [1, 9, 5, 7, 2, 1]);
  assert.deepEqual(await denoise(job, never), { reason: "length", canvasTokens: 6, steps: 6, workTokens: 20 });
  assert.deepEqual(heard.tokens, [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(heard.drafts.map(({ ids }) => ids), [
    [MASK, 1, MASK, MASK],
    [MASK, 1, MASK, 3],
    [MASK, 1, 2, 3],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4, MASK],
    [0, 1, 2, 3, 4, 5],
  ]);
  assert.deepEqual(heard.drafts[3].draft, { step: 4, totalSteps: 4, canvasIndex: 0, blockComplete: true });
  assert.deepEqual(heard.drafts[4].draft, { step: 1, totalSteps: 2, canvasIndex: 1, blockComplete: false });
});

test("denoise() shows the model the prompt and the whole answer so far", async () => {
  const { job, heard } = scripted([0, 1, 2, 3, 4], [4, 3, 2, 1, 1]);
  await denoise(job, never);
  assert.deepEqual(heard.judged[0], [1, 2, MASK, MASK, MASK, MASK, MASK]);
  assert.deepEqual(heard.judged[4], [1, 2, 0, 1, 2, 3, MASK]);
});

test("denoise() spreads the places over the steps evenly", async () => {
  const { job, heard } = scripted([0, 1, 2, 3, 4, 5, 0, 1, 2, 3], new Array(10).fill(3), { canvasTokens: 10 });
  await denoise(job, never);
  const known = heard.drafts.map(({ ids }) => ids.filter((id) => id !== MASK).length);
  assert.deepEqual(known, [3, 6, 8, 10]);
});

test("denoise() asks for nothing after the first end token and ends there", async () => {
  const { job, heard } = scripted([3, 2, END, 4, 5, 5], [5, 1, 9, 2, 9, 9]);
  assert.deepEqual(await denoise(job, never), { reason: "stop", canvasTokens: 4, steps: 3, workTokens: 12 });
  assert.deepEqual(heard.tokens, [3, 2]);
  assert.deepEqual(heard.drafts.map(({ ids }) => ids), [[MASK, MASK], [3, MASK], [3, 2]]);
  assert.equal(heard.drafts[2].draft.blockComplete, true);
});

test("denoise() ends with an empty answer when the first token is an end", async () => {
  const { job, heard } = scripted([END, 2], [9, 1]);
  assert.deepEqual(await denoise(job, never), { reason: "stop", canvasTokens: 2, steps: 1, workTokens: 2 });
  assert.deepEqual(heard.tokens, []);
});

test("denoise() stops when onToken returns false", async () => {
  const tokens: number[] = [];
  const { job } = scripted([0, 1, 2, 3, 4, 5], [4, 3, 2, 1, 1, 1], { onToken: (id) => tokens.push(id) < 2 });
  assert.equal((await denoise(job, never)).reason, "stop");
  assert.deepEqual(tokens, [0, 1]);
});

test("denoise() finds the logits of a shifted model at the token before", async () => {
  const { job, heard } = scripted([5, 4, 3], [1, 2, 3], { shifted: true });
  await denoise(job, never);
  assert.deepEqual(heard.tokens, [5, 4, 3]);
});

test("denoise() never takes a mask for an answer, whatever the settings", async () => {
  const sampling = { ...NEUTRAL_SAMPLING, temperature: 5, logitBias: new Map([[MASK, 100]]) };
  for (let seed = 0; seed < 50; seed++) {
    const { job, heard } = scripted([0, 1, 2, 3], [1, 1, 1, 1], { sampling, seed, endTokens: new Set() });
    await denoise(job, never);
    assert.equal(heard.tokens.length, 4);
    assert.ok(!heard.tokens.includes(MASK));
  }
});

/** Logits that depend on all tokens, as those of a real model. */
function tangled(seed: number, length: number): { job: DenoisingJob; tokens: number[] } {
  const tokens: number[] = [];
  const { job } = scripted(new Array(length).fill(0), new Array(length).fill(1), {
    seed,
    endTokens: new Set(),
    sampling: { ...NEUTRAL_SAMPLING, temperature: 1.5 },
    judge: (ids) => {
      const random = seededRandom(ids.reduce((hash, id) => (hash * 31 + id) % 1_000_003, 7));
      return Promise.resolve({
        data: Float32Array.from({ length: ids.length * WIDTH }, () => 6 * random()),
        width: WIDTH,
      });
    },
    onToken: (id) => tokens.push(id) > 0,
  });
  return { job, tokens };
}

test("denoise() takes the likeliest tokens at temperature 0, whatever else is set", async () => {
  const settings = [{}, { topK: 1 }, { topP: 0.1 }, { logitBias: new Map([[5, 0]]) }];
  for (const extra of settings) {
    const { job, heard } = scripted([0, 1, 2, 3], [4, 3, 2, 1], {
      sampling: { ...NEUTRAL_SAMPLING, temperature: 0, ...extra },
    });
    await denoise(job, never);
    assert.deepEqual(heard.tokens, [0, 1, 2, 3]);
  }
  const biased = scripted([0, 1, 2, 3], [4, 3, 2, 1], {
    sampling: { ...NEUTRAL_SAMPLING, temperature: 0, logitBias: new Map([[5, 50]]) },
  });
  await denoise(biased.job, never);
  assert.deepEqual(biased.heard.tokens, [5, 5, 5, 5]);
});

test("denoise() says that a model gives no numbers", async () => {
  for (const temperature of [0, 1]) {
    const { job } = scripted([0], [1], {
      sampling: { ...NEUTRAL_SAMPLING, temperature },
      judge: (ids) => Promise.resolve({ data: new Float32Array(ids.length * WIDTH).fill(NaN), width: WIDTH }),
    });
    await assert.rejects(denoise(job, never), { name: "RangeError", message: /^Cannot choose a token: / });
  }
});

test("denoise() gives the same answer for the same seed and others for others", async () => {
  const answers = new Set<string>();
  for (let seed = 0; seed < 20; seed++) {
    const [one, two] = [tangled(seed, 12), tangled(seed, 12)];
    await Promise.all([denoise(one.job, never), denoise(two.job, never)]);
    assert.deepEqual(one.tokens, two.tokens);
    answers.add(one.tokens.join());
  }
  assert.ok(answers.size > 15, `${answers.size} different answers`);
});

test("denoise() samples as the temperature says", async () => {
  const counts = new Array(WIDTH).fill(0);
  const rows = Float32Array.from([0, Math.log(2), Math.log(5), -40, -40, -40, -40, -40]);
  for (let seed = 0; seed < 800; seed++) {
    const { job, heard } = scripted([0], [1], {
      seed,
      sampling: NEUTRAL_SAMPLING,
      judge: (ids) => Promise.resolve({ data: Float32Array.from(ids.flatMap(() => [...rows])), width: WIDTH }),
    });
    await denoise(job, never);
    counts[heard.tokens[0]]++;
  }
  const expected = [100, 200, 500];
  for (const [id, count] of expected.entries()) assert.ok(Math.abs(counts[id] - count) < 45, `${counts}`);
});

test("denoise() stops between steps when it is aborted", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const { job, heard } = scripted([0, 1, 2, 3], [1, 1, 1, 1], {
    onStep: (_, { step }) => step === 2 && controller.abort(reason),
  });
  await assert.rejects(denoise(job, controller.signal), reason);
  assert.equal(heard.judged.length, 2);
});
