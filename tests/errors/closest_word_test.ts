import assert from "node:assert/strict";
import { test } from "node:test";
import { closestWord } from "../../lib/errors/closest_word.ts";

const FIELDS = ["prompt", "action_seq", "width", "num_output_frames", "seed"];

test("closestWord() finds what a mistyped word means", () => {
  assert.equal(closestWord("promt", FIELDS), "prompt");
  assert.equal(closestWord("widht", FIELDS), "width");
  assert.equal(closestWord("NUM_OUTPUT_FRAME", FIELDS), "num_output_frames");
});

test("closestWord() finds nothing when no word is near", () => {
  assert.equal(closestWord("temperature", FIELDS), undefined);
  assert.equal(closestWord("x", FIELDS), undefined);
  assert.equal(closestWord("", FIELDS), undefined);
  assert.equal(closestWord("seed".repeat(100), FIELDS), undefined);
});
