import assert from "node:assert/strict";
import { test } from "node:test";
import {
  NEUTRAL_SAMPLING,
  type SamplingSettings,
  samplingSettings,
} from "../../lib/protocol/sampling/policy_logits.ts";
import { readChatRequest } from "../../lib/protocol/chat/read_chat_request.ts";

const defaults: SamplingSettings = {
  temperature: 0.7,
  topP: 0.95,
  topK: 20,
  minP: 0.02,
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
  repetitionPenalty: 1.1,
  logitBias: new Map([[1, 1]]),
};
const settings = (fields: Record<string, unknown>) =>
  samplingSettings(
    readChatRequest({ model: "", messages: [{ role: "user", content: "" }], ...fields }).sampling,
    defaults,
  );

const fields: [string, keyof SamplingSettings, number][] = [
  ["temperature", "temperature", 0],
  ["top_p", "topP", 0],
  ["top_k", "topK", 0],
  ["min_p", "minP", 0],
  ["presence_penalty", "presencePenalty", 0],
  ["frequency_penalty", "frequencyPenalty", 0],
  ["repetition_penalty", "repetitionPenalty", 1],
];

// @row model-api > Chat rules > 10: omitted sampling fields keep the defaults independently
test("samplingSettings() keeps the default of each omitted field, whatever the others say", () => {
  assert.deepEqual(settings({}), defaults);
  for (const [field, name, value] of fields) {
    assert.deepEqual(settings({ [field]: value }), { ...defaults, [name]: value });
  }
  assert.deepEqual(settings({ logit_bias: { 5: 2 } }), { ...defaults, logitBias: new Map([[5, 2]]) });
});

test("samplingSettings() lets every default be undone", () => {
  const all = Object.fromEntries(fields.map(([field, , value]) => [field, value]));
  const undone = settings({ ...all, temperature: 1, top_p: 1 });
  assert.deepEqual(undone, { ...NEUTRAL_SAMPLING, logitBias: defaults.logitBias });
});

test("samplingSettings() takes temperatures at which divided logits would overflow for 0", () => {
  for (const temperature of [5e-324, 1e-300, 1e-38, 9e-7]) assert.equal(settings({ temperature }).temperature, 0);
  assert.equal(settings({ temperature: 1e-6 }).temperature, 1e-6);
});
