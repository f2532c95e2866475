import assert from "node:assert/strict";
import { test } from "node:test";
import {
  argumentsSchema,
  canonicalJson,
  lintManifestText,
  nodeTypes,
  parseManifest,
  validateArguments,
  validateManifest,
  validateManifestText,
} from "../../lib/manifest/mod.ts";
import { smallInput, smallManifest, smallNode } from "./small_manifest.ts";

/** A manifest's text with `json` where its input's `field` is. */
function withField(field: string, json: string): string {
  const input = { ...smallInput({ type: "json" }), [field]: "HERE" };
  return JSON.stringify(smallManifest(smallNode({ inputs: [input] }))).replace('"HERE"', json);
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("validateManifestText() accepts a default of any depth", () => {
  for (const depth of [5_000, 300_000]) {
    assert.deepEqual(validateManifestText(withField("default", nested(depth))).findings, []);
  }
});

test("validateManifestText() finds what is wrong below 100,000 levels", () => {
  const depth = 100_000;
  const text = withField("value_schema", '{"type":"array","items":'.repeat(depth) + '{"type":"x"}' + "}".repeat(depth));
  const { findings: [finding, ...others] } = validateManifestText(text);
  assert.deepEqual([finding.rule, others], ["enum", []]);
  assert.equal(finding.pointer, `/nodes/0/inputs/0/value_schema${"/items".repeat(depth)}/type`);
  assert.equal(text.slice(finding.start, finding.end), '"x"');
});

test("validateManifestText() finds brackets without an end, however many", () => {
  const { findings: [{ rule, message }] } = validateManifestText("[".repeat(2 << 20));
  assert.equal(rule, "not_json");
  assert.match(message, /found nesting of 1048577 arrays or objects, expected fewer levels/);
});

test("linter and tools work on deep value schemas", () => {
  const depth = 20_000;
  const schema = '{"type":"array","items":'.repeat(depth) + '{"type":"string"}' + "}".repeat(depth);
  const text = withField("value_schema", schema);
  assert.deepEqual(lintManifestText(text).findings.map(({ rule }) => rule), ["deep_value_schema"]);
  const manifest = parseManifest(text);
  assert.equal(validateArguments(manifest.nodes[0], { text: JSON.parse(nested(depth)) }).valid, true);
  assert.equal(argumentsSchema(manifest.nodes[0]).type, "object");
  assert.match(nodeTypes(manifest), /readonly Json(\[\]){16};/);
  assert.equal(canonicalJson(manifest).length, text.length);
});

test("validateManifestText() keeps to the limit with 200,000 repeated and unknown members", () => {
  const members = (name: (i: number) => string) => Array.from({ length: 200_000 }, (_, i) => `"${name(i)}":1`).join();
  const repeated = `{${members(() => "a")}}`;
  assert.equal(validateManifestText(repeated).findings.length, 5);
  const { findings, omitted } = lintManifestText(repeated);
  assert.deepEqual([findings.length, omitted], [1000, 198_999]);
  const unknown = validateManifestText(`{${members((i) => `typ${i}`)}}`);
  assert.deepEqual([unknown.findings.length, unknown.omitted], [1000, 199_004]);
});

test("validateManifestText() keeps to the limit with 200,000 equal items", () => {
  const { findings, omitted } = validateManifestText(withField("values", `["a"${',"a"'.repeat(200_000)}]`));
  assert.deepEqual([findings.length, omitted], [1000, 199_000]);
});

test("validateManifestText() leaves findings out whose pointers would take too much memory", () => {
  const name = "x".repeat(1_000_000);
  const { findings, omitted } = validateManifestText(
    withField("default", `{"${name}":[${"1e400,".repeat(999)}1e400]}`),
  );
  assert.ok(findings.length < 10 && findings.length + omitted === 1000);
});

test("validateManifestText() matches strings of a million characters", () => {
  const long = "a".repeat(1_000_000);
  const of = (name: string, value: string) =>
    validateManifestText(`{"${name}":"${value}"}`).findings.filter(({ pointer }) => pointer === `/${name}`).length;
  assert.equal(of("provider_id", `svc-${long}`), 0);
  assert.equal(of("provider_id", `svc-${long}A`), 1);
  assert.equal(of("provider_version", `${"1".repeat(1_000_000)}.0.0-${long}`), 0);
  assert.equal(of("provider_version", long), 1);
  const kind = (text: string) => validateManifest({ nodes: [{ kind: text }] }).findings.map(({ pointer }) => pointer);
  assert.ok(!kind(`a${".a".repeat(1_000_000)}`).includes("/nodes/0/kind"));
  assert.ok(kind(`a${".a".repeat(1_000_000)}.`).includes("/nodes/0/kind"));
  assert.ok(kind(long).includes("/nodes/0/kind"));
});

test("validateManifestText() rejects numbers that are too large, and takes all others", () => {
  for (const number of ["1e400", "-1e400", "1".repeat(401)]) {
    const { findings: [{ rule, pointer }] } = validateManifestText(withField("default", number));
    assert.deepEqual([rule, pointer], ["type", "/nodes/0/inputs/0/default"]);
  }
  for (const number of ["-0", "1e-400", "9007199254740993", "1".repeat(300)]) {
    assert.equal(validateManifestText(withField("default", number)).valid, true);
  }
});

test("validateManifestText() takes lone surrogates, which JSON allows", () => {
  for (const text of ['"\\ud800"', '"\ud800"', '{"\\udfff":"\\udfff"}']) {
    assert.equal(validateManifestText(withField("default", text)).valid, true);
    assert.equal(lintManifestText(withField("default", text)).findings[0].rule, "lone_surrogate");
  }
});

test("no tool lets a member named __proto__ reach a prototype", () => {
  const text = withField("default", '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  const manifest = parseManifest(text);
  lintManifestText(text);
  canonicalJson(manifest);
  argumentsSchema(manifest.nodes[0]);
  const schema = '{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["constructor"]}';
  const { nodes: [node] } = parseManifest(withField("value_schema", schema));
  const found = validateArguments(node, { text: JSON.parse('{"__proto__":"x"}') }).findings;
  assert.deepEqual(found.map(({ rule, pointer }) => [rule, pointer]), [["required", "/text"], [
    "type",
    "/text/__proto__",
  ]]);
  assert.deepEqual(Object.keys(argumentsSchema(node).properties?.["text"].properties ?? {}), [
    "constructor",
    "__proto__",
  ]);
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});
