import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseNext } from "../../../lib/engines/onnx_text/decoding/sequence.ts";
import {
  chooseToken,
  NEUTRAL_SAMPLING,
  type SamplingSettings,
  TokenHistory,
  uniformAt,
} from "../../../lib/protocol/mod.ts";

const history = new TokenHistory([1, 2, 3]);
history.add(2);

test("chooseNext() chooses what chooseToken() chooses", () => {
  const mask = new Int32Array([0x0f0f0f0f, 0x00ff00ff]);
  const settings: Partial<SamplingSettings>[] = [
    { temperature: 0 },
    { temperature: 0, repetitionPenalty: 1.4 },
    { temperature: 0, logitBias: new Map([[7, 9]]) },
    { temperature: 0.8, topP: 0.9 },
  ];
  for (let seed = 0; seed < 20; seed++) {
    const logits = Float32Array.from({ length: 50 }, (_, i) => Math.round(12 * uniformAt(seed, i)));
    for (const some of settings) {
      for (const allowed of [undefined, mask]) {
        const all = { ...NEUTRAL_SAMPLING, ...some };
        const uniform = uniformAt(seed, 99);
        const expected = chooseToken(logits, all, history, uniform, allowed);
        for (const explained of [false, true]) {
          const { id, chosen } = chooseNext(logits, all, history, () => uniform, allowed, explained);
          assert.equal(id, expected.id);
          if (explained) assert.deepEqual(chosen, expected);
        }
      }
    }
  }
});

test("chooseNext() says when a model is broken", () => {
  const greedy = { ...NEUTRAL_SAMPLING, temperature: 0 };
  const broken = () => chooseNext(new Float32Array(4).fill(NaN), greedy, history, () => 0, undefined, false);
  assert.throws(broken, /the largest logit is/);
});
