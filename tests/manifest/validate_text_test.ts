import assert from "node:assert/strict";
import { test } from "node:test";
import { validateManifestText } from "../../lib/manifest/mod.ts";
import { smallInput, smallManifest, smallNode } from "./small_manifest.ts";

const problem = (source: string | Uint8Array) => {
  const { valid, findings: [finding, ...others] } = validateManifestText(source);
  assert.deepEqual([valid, finding.rule, finding.pointer, others], [false, "not_json", "", []]);
  const { line, column, start, end, message } = finding;
  return { at: `${line}:${column}`, span: [start, end], message: message.replace("the text is not JSON: ", "") };
};

test("validateManifestText() gives the place of what is not JSON, and what was expected", () => {
  const cases: readonly (readonly [string, string, readonly [number, number], string])[] = [
    ["", "1:1", [0, 0], "found the end of an empty text, expected a JSON object"],
    [" \n", "2:1", [2, 2], "found the end of an empty text, expected a JSON object"],
    ["{", "1:2", [1, 1], "found the end of the text, expected a name in double quotes"],
    ['{"a": NaN}', "1:7", [6, 9], 'found "NaN", expected a value'],
    ["[-Infinity]", "1:2", [1, 10], 'found "-Infinity", expected a value'],
    ['{"a":1,}', "1:8", [7, 8], "found a } after a comma, expected another member or no comma"],
    ["{\r", "2:1", [2, 2], "found the end of the text, expected a name in double quotes"],
    ["[1, ]", "1:5", [4, 5], "found a ] after a comma, expected a value"],
    ["[1 2]", "1:4", [3, 4], 'found "2", expected a comma or ]'],
    ['{"a" 1}', "1:6", [5, 6], 'found "1", expected a colon after the name'],
    [
      "{'a': 1}",
      "1:2",
      [1, 2],
      "found a single quote, expected a name in double quotes; strings need double quotes",
    ],
    ["{} x", "1:4", [3, 4], 'found "x", expected nothing after the value'],
    ["{\n  // no\n}", "2:3", [4, 5], "found a /, expected a name in double quotes; JSON has no comments"],
    ["[01]", "1:2", [1, 3], "found 01, expected a JSON number"],
    ["[.5]", "1:2", [1, 3], "found .5, expected a JSON number"],
    ['["a\nb"]', "1:2", [1, 3], "found a string that does not end on its line, expected a double quote"],
    ['["a\tb"]', "1:4", [3, 4], 'found the control character "\\t", expected its escape sequence'],
    [
      '["\\x"]',
      "1:3",
      [2, 4],
      'found the escape sequence \\x, expected one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000',
    ],
    ['"abc', "1:1", [0, 4], "found an unterminated string, expected a double quote"],
  ];
  for (const [text, at, span, message] of cases) assert.deepEqual(problem(text), { at, span, message }, text);
});

test("validateManifestText() skips a byte order mark at the start, and only there", () => {
  const text = '{"contract_version": 1}';
  const plain = validateManifestText(text).findings;
  const bytes = new TextEncoder().encode(`\ufeff${text}`);
  assert.deepEqual(validateManifestText(bytes).findings, plain, "bytes: places are those after the mark");
  const marked = validateManifestText(`\ufeff${text}`).findings;
  assert.deepEqual(
    marked.map(({ rule, start }) => [rule, start]),
    plain.map(({ rule, start }) => [rule, start + 1]),
  );
  assert.equal(validateManifestText("\ufeff\ufeff{}").valid, false);
});

test("validateManifestText() gives the place of bytes that are not UTF-8", () => {
  const bytes = (...parts: (string | number)[]) =>
    new Uint8Array(parts.flatMap((part) => typeof part === "number" ? [part] : [...new TextEncoder().encode(part)]));
  assert.deepEqual(problem(bytes('{"ä":\n "', 0xff, '"}')), {
    at: "2:3",
    span: [8, 8],
    message: "found bytes that are not UTF-8 after byte 9, expected UTF-8",
  });
  assert.deepEqual(problem(bytes('"', 0xe2, 0x82)).span, [1, 1]);
  assert.deepEqual(problem(bytes('"', 0xed, 0xa0, 0x80, '"')).span, [1, 1]);
});

test("validateManifestText() counts lines that end with a line feed, a carriage return or both", () => {
  const { findings } = validateManifestText('{\r\n"a":1,\r"b":\n2,"c":3}');
  const places = findings.filter(({ rule }) => rule === "additional_property")
    .map(({ property, line, column }) => `${property} ${line}:${column}`);
  assert.deepEqual(places, ["a 2:1", "b 3:1", "c 4:3"]);
});

test("validateManifestText() counts columns in UTF-16 code units", () => {
  const { findings } = validateManifestText('{"😀": 1, "x": 2}');
  assert.deepEqual(findings.map(({ column }) => column).slice(-2), [2, 11]);
});

test("validateManifestText() marks the name of an unknown member and else the value", () => {
  const text = '{\n  "extra": [1],\n  "nodes": {}\n}';
  const marked = validateManifestText(text).findings.map(({ rule, start, end }) => [rule, text.slice(start, end)]);
  assert.deepEqual(marked.slice(-2), [["additional_property", '"extra"'], ["type", "{}"]]);
  assert.deepEqual(marked[0], ["required", text]);
});

test("validateManifestText() gives the place of the first one of two equal items", () => {
  const text = JSON.stringify(smallManifest(smallNode({ inputs: [smallInput({ values: ["é", "b", "é"] })] })), null, 2);
  const { findings: [{ line, other }] } = validateManifestText(text);
  assert.ok(other);
  assert.equal(text.slice(other.start, other.end), '"é"');
  assert.equal(line - other.line, 2);
});

test("validateManifestText() follows the last one of two members, as JSON.parse does", () => {
  const text = '{"nodes": [{"kind": 1}], "n\\u006fdes": [], "nodes": [7]}';
  const found = validateManifestText(text).findings.filter(({ pointer }) => pointer.startsWith("/nodes"));
  assert.deepEqual(found.map(({ pointer, column }) => [pointer, column]), [["/nodes/0", text.indexOf("7") + 1]]);
});

test("validateManifestText() finds positions after escaped quotes and backslashes", () => {
  const text = '{"a\\"]}\\\\": {"\\\\": "\\\\\\""}, "nodes": 1}';
  const finding = validateManifestText(text).findings.at(-1)!;
  assert.deepEqual([finding.pointer, text.slice(finding.start, finding.end)], ["/nodes", "1"]);
});
