import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { listField, recordField } from "../../lib/json/bounded_fields.ts";

/** A schema of strings that counts how many values it has looked at. */
function counted(): { readonly schema: v.GenericSchema<unknown, string>; readonly looks: () => number } {
  let looks = 0;
  const schema = v.pipe(
    v.unknown(),
    v.transform((value) => {
      looks++;
      return value;
    }),
    v.string("expected a string"),
  );
  return { schema, looks: () => looks };
}

test("listField() takes arrays within its bounds", () => {
  const list = listField(v.string(), { min: 1, max: 3, expected: "expected 1 to 3 strings" });
  assert.deepEqual(v.parse(list, ["a", "b", "c"]), ["a", "b", "c"]);
  for (const value of [[], ["a", "b", "c", "d"], "a", {}, null, undefined]) {
    const { issues = [] } = v.safeParse(list, value);
    assert.deepEqual(issues.map(({ message }) => message), ["expected 1 to 3 strings"]);
  }
});

test("listField() looks at no item of an array that is too long, and describes only the first wrong one", () => {
  const long = counted();
  const bounds = { max: 1000, expected: "expected at most 1000 strings" };
  assert.equal(v.safeParse(listField(long.schema, bounds), Array(1001).fill("x")).issues?.length, 1);
  assert.equal(long.looks(), 0);
  const wrong = counted();
  const { issues = [] } = v.safeParse(listField(wrong.schema, bounds), ["x", ...Array(999).fill(1)]);
  assert.deepEqual([wrong.looks(), issues.length, issues[0]?.path?.[0]?.key], [2, 1, 1]);
});

test("recordField() counts the members first, and describes only the first wrong one", () => {
  const many = counted();
  const bounds = { max: 2, expected: "expected at most 2 strings" };
  assert.equal(v.safeParse(recordField(many.schema, bounds), { a: "", b: "", c: "" }).issues?.length, 1);
  assert.equal(many.looks(), 0);
  const wrong = counted();
  assert.equal(v.safeParse(recordField(wrong.schema, bounds), { a: 1, b: 2 }).issues?.length, 1);
  assert.equal(wrong.looks(), 1);
  assert.deepEqual(v.parse(recordField(v.string(), bounds), { a: "x" }), { a: "x" });
  for (const value of [[], "a", null, 1]) {
    assert.equal(v.safeParse(recordField(v.string(), bounds), value).success, false);
  }
});
