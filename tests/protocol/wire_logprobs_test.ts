import assert from "node:assert/strict";
import { test } from "node:test";
import { wireLogprobs } from "../../lib/protocol/chat/wire_logprobs.ts";

const token = (id: number, raw: number, policy: number) => ({
  id,
  raw,
  policy,
  top: [{ id, raw, policy }, { id: 0, raw: -9, policy: -9999 }],
  rawEntropy: 1,
  policyEntropy: 0.5,
  rawMargin: 2,
  policyMargin: 4,
});
const bytes = (id: number) => new Uint8Array(id === 2 ? [0xe2, 0x82] : [0x61 + id]);

// @row model-api > Chat rules > 8: log probabilities without stream, with extension fields
test("wireLogprobs() lists each token with its alternatives, and a summary", () => {
  const visible = { logprobs: token(1, -1, -0.5), region: "visible" } as const;
  const broken = { logprobs: token(2, -3, -1.5), region: "visible" } as const;
  const { content, svc_summary, svc_capture_seconds, svc_source } = wireLogprobs([visible, broken], bytes, 0.25);
  assert.deepEqual(content[0], {
    token: "b",
    bytes: [0x62],
    logprob: -1,
    raw_logprob: -1,
    policy_logprob: -0.5,
    top_logprobs: [
      { token: "b", bytes: [0x62], logprob: -1, raw_logprob: -1, policy_logprob: -0.5 },
      { token: "a", bytes: [0x61], logprob: -9, raw_logprob: -9, policy_logprob: -9999 },
    ],
    raw_entropy: 1,
    policy_entropy: 0.5,
    raw_top1_top2_margin: 2,
    policy_top1_top2_margin: 4,
    region: "visible",
  });
  assert.deepEqual(content[1].bytes, [0xe2, 0x82]);
  assert.deepEqual(svc_summary, {
    tokenCount: 2,
    meanRawLogprob: -2,
    minimumRawLogprob: -3,
    meanPolicyLogprob: -1,
    minimumPolicyLogprob: -1.5,
    meanRawEntropy: 1,
    meanPolicyEntropy: 0.5,
    meanRawTop1Top2Margin: 2,
    meanPolicyTop1Top2Margin: 4,
  });
  assert.deepEqual([svc_capture_seconds, svc_source], [0.25, "final_target"]);
});

// @row model-api > Chat rules > 8: log probabilities without stream, with extension fields
test("wireLogprobs() leaves the text of thoughts out", () => {
  const { content } = wireLogprobs([{ logprobs: token(1, -1, -1), region: "reasoning" }], bytes, 0);
  assert.deepEqual([content[0].token, content[0].bytes, content[0].top_logprobs[1].token], ["", [], ""]);
  assert.equal(content[0].logprob, -1);
});

test("wireLogprobs() has numbers for an answer without tokens", () => {
  const { content, svc_summary } = wireLogprobs([], bytes, 0);
  assert.deepEqual([content, svc_summary.meanRawLogprob, svc_summary.minimumRawLogprob], [[], 0, 0]);
});
