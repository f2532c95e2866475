import assert from "node:assert/strict";
import { test } from "node:test";
import { formFields } from "../../../lib/api/service/form_fields.ts";

test("texts become the values of their kinds, and stay texts where they are not of them", () => {
  const kinds = { n: "number", b: "boolean", list: "texts", word: "word" } as const;
  const read = (name: string, ...values: string[]) => formFields(new Map([[name, values]]), kinds)[name];
  for (const [text, value] of [["4", 4], [" 0.25 ", 0.25], ["-1e2", -100], [".5", 0.5], ["1e30", 1e30]] as const) {
    assert.equal(read("n", text), value);
  }
  for (const text of ["four", "0x10", "1e999", "NaN", "Infinity", "1,5", "1 2", "18446744073709551615"]) {
    assert.equal(read("n", text), text);
  }
  for (const [text, value] of [["true", true], ["FALSE", false], ["1", true], ["0", false], ["yes", "yes"]] as const) {
    assert.equal(read("b", text), value);
  }
  assert.deepEqual([read("n", ""), read("b", " ")], [undefined, undefined]);
  assert.deepEqual(read("list", "word", "segment"), ["word", "segment"]);
  assert.equal(read("text", " as it is "), " as it is ");
  assert.deepEqual([read("word", " auto "), read("word", " "), read("text", "")], [" auto ", undefined, ""]);
});
