import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQwen3Config } from "../../../lib/models/qwen3/config.ts";

const config = {
  model_type: "qwen3",
  vocab_size: 320,
  hidden_size: 32,
  intermediate_size: 64,
  num_hidden_layers: 4,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 16,
  rms_norm_eps: 1e-6,
  rope_theta: 1e6,
};

function problemsOf(change: object): string[] {
  const problems: string[] = [];
  const parsed = parseQwen3Config("config.json", { ...config, ...change }, problems);
  assert.equal(parsed === undefined, problems.length > 0);
  return problems;
}

test("parseQwen3Config() reads the base of the rotary frequencies from both of its places", () => {
  assert.deepEqual(problemsOf({}), []);
  assert.deepEqual(problemsOf({ rope_theta: undefined, rope_parameters: { rope_theta: 5, rope_type: "default" } }), []);
  assert.match(problemsOf({ rope_theta: undefined })[0], /rope_theta is missing/);
});

test("parseQwen3Config() refuses models of another kind by field", () => {
  assert.match(problemsOf({ model_type: "llama" })[0], /model_type is "llama"/);
  assert.match(problemsOf({ num_key_value_heads: 3 })[0], /num_key_value_heads is 3, expected a divisor of/);
  assert.match(problemsOf({ rope_scaling: { type: "yarn" } })[0], /rope_scaling/);
  assert.match(problemsOf({ head_dim: 15 })[0], /head_dim is 15/);
  assert.match(problemsOf({ hidden_size: 1e9 })[0], /hidden_size/);
  assert.equal(problemsOf({ vocab_size: "many", hidden_size: 0 }).length, 2);
});
