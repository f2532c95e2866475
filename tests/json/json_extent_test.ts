import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonExtent } from "../../lib/json/json_text.ts";

const none = { values: Infinity, depth: Infinity };

test("jsonExtent() counts levels, and values up to one too many for each empty object or array", () => {
  const texts: [string, number, number][] = [
    ["1", 1, 0],
    ['"a,[{\\"]"', 1, 0],
    ['"\\\\"', 1, 0],
    ["[1, 2, 3]", 4, 1],
    ['{"a": [1, {"b,": "]"}], "c": null}', 6, 3],
    ["[[], []]", 5, 2],
  ];
  for (const [text, values, depth] of texts) assert.deepEqual(jsonExtent(text, none), { values, depth }, text);
});

test("jsonExtent() takes any text and stops at its limit", () => {
  for (const text of ["", '"', "]]]", "[,,", '"\\']) jsonExtent(text, none);
  assert.deepEqual(jsonExtent("[".repeat(1000), { values: 100, depth: 5 }), { values: 7, depth: 6 });
  assert.deepEqual(jsonExtent(`[${"1,".repeat(1000)}`, { values: 100, depth: 5 }), { values: 101, depth: 1 });
});
