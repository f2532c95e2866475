import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { repeatedJsonKey } from "../../lib/json/json_text.ts";

test("repeatedJsonKey() finds a name that one object has twice, however it is written", () => {
  const cases: [text: string, name: string | undefined][] = [
    ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', undefined],
    ['{"a":1,"b":2,"a":3}', "a"],
    ['[{"x":{"y":1, "y" \n:2}}]', "y"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"a\\"":1,"a\\\\":2,"a\\"":3}', 'a"'],
    ['{"a\\\\":"\\\\\\"","b":"a","c":"a"}', undefined],
    ['{"":1,"":2}', ""],
    ['"a"', undefined],
  ];
  for (const [text, name] of cases) assert.equal(repeatedJsonKey(text), name, text);
});

test("repeatedJsonKey() finds none in what was made from a value", () => {
  fc.assert(fc.property(fc.json(), (text) => assert.equal(repeatedJsonKey(text), undefined)), {
    seed: 3,
    numRuns: 300,
  });
});
