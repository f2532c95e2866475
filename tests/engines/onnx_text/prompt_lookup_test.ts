import assert from "node:assert/strict";
import { test } from "node:test";
import { PromptLookup } from "../../../lib/engines/onnx_text/decoding/prompt_lookup.ts";

test("PromptLookup proposes what followed the last three tokens before", () => {
  const lookup = new PromptLookup([1, 2, 3, 4, 5, 6, 9, 1, 2, 3]);
  assert.deepEqual(lookup.propose(7), [4, 5, 6]);
  assert.deepEqual(lookup.propose(2), [4, 5]);
  lookup.add(8);
  assert.deepEqual(lookup.propose(7), []);
  for (const id of [5, 2, 3, 8]) lookup.add(id);
  assert.deepEqual(lookup.propose(1), [5], "of several places the last one");
  assert.deepEqual(new PromptLookup([1, 2]).propose(7), []);
  assert.deepEqual(new PromptLookup([1, 2, 3, 4, -1, -2, 1, 2, 3]).propose(7), [4], "images are never said");
});

test("PromptLookup continues repetitions", () => {
  const lookup = new PromptLookup([7, 7, 7, 7]);
  lookup.judge(3, 3);
  assert.deepEqual(lookup.propose(9), [7, 7, 7, 7, 7, 7]);
  assert.deepEqual(new PromptLookup([1, 2, 1, 2, 1]).propose(3), [2, 1, 2]);
});

test("PromptLookup proposes more while it is right, less while it is wrong, and at last nothing", () => {
  const lookup = new PromptLookup(Array.from({ length: 40 }, (_, i) => i % 20));
  const proposed = () => lookup.propose(99).length;
  assert.equal(proposed(), 3);
  lookup.judge(3, 3);
  lookup.judge(6, 6);
  assert.equal(proposed(), 7);
  lookup.judge(7, 2);
  assert.equal(proposed(), 2);
  for (let i = 0; i < 3; i++) lookup.judge(1, 0);
  assert.equal(proposed(), 1);
  assert.ok(!lookup.hopeless);
  lookup.judge(1, 0);
  assert.ok(lookup.hopeless);
});
