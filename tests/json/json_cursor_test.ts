import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonCursor } from "../../lib/json/json_cursor.ts";

test("jsonCursor() says what is at every offset, also of texts that are not JSON", () => {
  const cases: [string, string, (string | number)[], string[]][] = [
    ["|", "value", [], []],
    ["{|", "name", [], []],
    ['{"a": |', "value", ["a"], ["a"]],
    ['{"a": 1,| "b": 2}', "name", [], ["a", "b"]],
    ['{"a": 1, "b|": 2, "c": 3}', "name", [], ["a", "c"]],
    ['{"a": [1, {"b": "x|"}], "c": 3}', "value", ["a", 1, "b"], ["b"]],
    ['{"a": tr|', "value", ["a"], ["a"]],
    ["[[], [|]", "value", [1, 0], []],
    ["}}}]]|", "value", [], []],
    ['{"a": "x\\"|', "value", ["a"], ["a"]],
    ['{"a": "x\\q|"', "value", ["a"], ["a"]],
    ['{"a": "x|\n"b": 1}', "value", ["a"], ["a"]],
    ["{a: |}", "value", ["a"], ["a"]],
    ['{"na|, "c": 1}', "name", [], ["c"]],
  ];
  for (const [marked, role, path, names] of cases) {
    const found = jsonCursor(marked.replace("|", ""), marked.indexOf("|"));
    assert.deepEqual([found.role, found.path, found.names], [role, path, names], marked);
  }
  const hostile = '{"a":['.repeat(20_000);
  assert.equal(jsonCursor(hostile, hostile.length).path.length, 40_000);
});

test("jsonCursor() gives the token at an offset, where it would end unclosed, and whether a place is taken", () => {
  const cases: [marked: string, token: string, written: string, isTaken: boolean][] = [
    ['{"|name": 1}', '"name"', '"name"', false],
    ['{|"name": 1}', '"name"', "", false],
    ['{"na|: "x"}', '"na: "', '"na', false],
    ['{"a": "b"|}', "", "", true],
    ['{"a" |', "", "", true],
    ['{"a": tr|ue}', "true", "true", false],
    ["[1|]", "1", "1", false],
    ["[1, |]", "", "", false],
    ["{} |", "", "", true],
    [" |", "", "", false],
  ];
  for (const [marked, token, written, isTaken] of cases) {
    const text = marked.replace("|", "");
    const { start, end, writtenEnd, ...found } = jsonCursor(text, marked.indexOf("|"));
    assert.deepEqual(
      [text.slice(start, end), text.slice(start, writtenEnd), found.isTaken],
      [token, written, isTaken],
      marked,
    );
  }
});
