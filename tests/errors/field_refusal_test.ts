import assert from "node:assert/strict";
import { test } from "node:test";
import { type FieldRefusal, findRefusedField, refusalOf } from "../../lib/errors/field_refusal.ts";

const refusals: readonly FieldRefusal[] = [
  { field: "n", neutral: [1], remedy: "expected 1" },
  { field: /^mirostat(_\w+)?$/, remedy: "expected no such field" },
];

test("findRefusedField() finds the first field that asks for what is not had, unless its value is neutral", () => {
  assert.equal(findRefusedField({ n: 1, mirostat: null, other: 2 }, refusals), undefined);
  assert.deepEqual(findRefusedField({ n: 1, mirostat_tau: 5, x: 1 }, refusals), {
    name: "mirostat_tau",
    reason: '"mirostat_tau" is 5, expected no such field',
  });
  assert.equal(findRefusedField({ n: 2 }, refusals)?.reason, '"n" is 2, expected 1');
});

test("refusalOf() matches whole names only", () => {
  assert.equal(refusalOf("mirostat", refusals)?.remedy, "expected no such field");
  assert.equal(refusalOf("nn", refusals), undefined);
});
