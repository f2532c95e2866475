import assert from "node:assert/strict";
import { test } from "node:test";
import { NEUTRAL_SAMPLING, type SamplingSettings } from "../../../lib/protocol/mod.ts";
import {
  keepThreads,
  type NativeSampler,
  openLlama,
  reuseSamplers,
  type SamplerBindings,
} from "../../../lib/engines/gguf_text/open_llama.ts";
import { say, withTiny } from "./open_tiny_gguf.ts";

const prompt = Array.from({ length: 20 }, (_, i) => (i * 31) % 200 + 7);

test("answers of many tokens take a few samplers of llama.cpp, and the next ones take the same", async () => {
  const { _bindings: bindings } = (await openLlama("cpu")).llama as unknown as { readonly _bindings: SamplerBindings };
  const Reused = bindings.AddonSampler;
  const made = new Set<NativeSampler>();
  let asked = 0;
  bindings.AddonSampler = new Proxy(Reused, {
    construct(target, given) {
      const sampler: NativeSampler = Reflect.construct(target, given);
      asked++;
      made.add(sampler);
      return sampler;
    },
  });
  try {
    await withTiny({ make: { script: false } }, async (model) => {
      await say(model, prompt, { maxTokens: 30 });
      await say(model, prompt, { maxTokens: 30, seed: 3, sampling: { ...NEUTRAL_SAMPLING, topK: 4 } });
    });
  } finally {
    bindings.AddonSampler = Reused;
  }
  assert.ok(asked >= 60, `${asked}`);
  assert.ok(made.size <= 3, `${made.size} samplers for ${asked} tokens`);
});

test("an answer sets no timer with each token, which would take a core from llama.cpp", async () => {
  await withTiny({ make: { script: false } }, async (model) => {
    const { setTimeout } = globalThis;
    let timers = 0;
    const counted = (...args: Parameters<typeof setTimeout>) => (timers++, setTimeout(...args));
    globalThis.setTimeout = Object.assign(counted, setTimeout);
    try {
      await say(model, prompt, { maxTokens: 30 });
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    assert.ok(timers < 5, `${timers} timers for 30 tokens`);
  });
  keepThreads({}); // another version of node-llama-cpp
});

test("a reused sampler chooses as a new one does, whatever its configuration was before", async () => {
  const ways: Partial<SamplingSettings>[] = [
    { temperature: 0 },
    {},
    { topP: 0.8 },
    { minP: 0.1, temperature: 0.7 },
    { topK: 5 },
    { temperature: 1.5, topK: 8, topP: 0.9 },
    { repetitionPenalty: 1.3 },
    { presencePenalty: 1, frequencyPenalty: 0.5, temperature: 0 },
    { logitBias: new Map([[12, 100]]) },
  ];
  await withTiny({ make: { script: false } }, async (model) => {
    const said = (way: Partial<SamplingSettings>, maxTokens: number) =>
      say(model, prompt, { maxTokens, seed: 5, sampling: { ...NEUTRAL_SAMPLING, ...way } }).then(({ ids }) => ids);
    const first: number[][] = [];
    for (const way of ways) first.push(await said(way, 8));
    for (const [i, way] of [...ways.entries()].reverse()) {
      // Twice in a row: the second draw has the seed that the sampler has.
      assert.deepEqual(await said(way, 1), first[i].slice(0, 1), JSON.stringify(way));
      assert.deepEqual(await said(way, 1), first[i].slice(0, 1), JSON.stringify(way));
      assert.deepEqual(await said(way, 8), first[i], JSON.stringify(way));
    }
  });
});

class FakeSampler implements NativeSampler {
  readonly heard: unknown[] = [];
  ended = 0;
  readonly model: object;

  constructor(model: object) {
    this.model = model;
  }

  applyConfig(config: unknown): void {
    this.heard.push(config);
  }

  dispose(): void {
    this.ended++;
  }
}

test("reuseSamplers() keeps a few samplers, each for its model, and hands none out twice", () => {
  const bindings: SamplerBindings = { AddonSampler: FakeSampler };
  reuseSamplers({ _bindings: bindings });
  const once = bindings.AddonSampler;
  reuseSamplers({ _bindings: bindings });
  assert.equal(bindings.AddonSampler, once);
  const make = (model: object) => new bindings.AddonSampler(model) as FakeSampler;
  const [one, other] = [{}, {}];
  const a = make(one);
  a.dispose();
  a.dispose();
  assert.notEqual(make(other), a);
  assert.equal(make(one), a);
  assert.notEqual(make(one), a);
  assert.deepEqual([a.ended, a.heard.length], [0, 1]);
  const many = Array.from({ length: 40 }, () => make(one));
  for (const sampler of many) sampler.dispose();
  assert.equal(many.reduce((sum, { ended }) => sum + ended, 0), 24);
  assert.equal(make(one).ended, 0);
  // Other versions of the library.
  reuseSamplers({});
  reuseSamplers({ _bindings: {} });
});
