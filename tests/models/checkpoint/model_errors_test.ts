import assert from "node:assert/strict";
import { test } from "node:test";
import { invalidModelFiles } from "../../../lib/models/checkpoint/model_errors.ts";

test("invalidModelFiles() shows some of many problems and says how to continue", () => {
  const problems = Array.from({ length: 200 }, (_, i) => `tensor ${i} is missing`);
  const error = invalidModelFiles(problems);
  assert.equal(error.problems.length, 200);
  assert.ok(error.message.length < 400, error.message);
  assert.match(error.message, /tensor 7 is missing and 192 more problems; put complete files there/);
  assert.match(error.message, /svc model convert/);
  assert.doesNotMatch(invalidModelFiles(["x is missing"], "image model").message, /more problems|convert/);
});
