import assert from "node:assert/strict";
import { test } from "node:test";
import { ManifestError, parseManifest, validateManifest, validateManifestText } from "../../lib/manifest/mod.ts";
import { smallInput, smallManifest, smallNode } from "./small_manifest.ts";

const manifest = smallManifest();
/** A misspelled version of a value. */
const withNode = (fields: object) => ({ ...manifest, nodes: [{ ...smallNode(), ...fields }] });

test("validateManifest() accepts a small manifest", () => {
  assert.deepEqual(validateManifest(manifest), { valid: true, findings: [], omitted: 0 });
});

test("validateManifest() says what is there and what was expected", () => {
  const { findings } = validateManifest(withNode({ kind: "Demo", title: "", traits: { side_effects: "locl" } }));
  assert.deepEqual(findings.map(({ pointer, rule, message }) => `${rule} ${pointer}: ${message}`), [
    'pattern /nodes/0/kind: "kind" is "Demo", expected two or more segments separated by dots, each a lower-case ' +
    "letter, then at most 63 lower-case letters, digits and hyphens",
    'min_length /nodes/0/title: "title" is empty, expected at least 1 character',
    'required /nodes/0/traits: "deterministic" is missing in "traits", expected a boolean',
    'required /nodes/0/traits: "cacheable" is missing in "traits", expected a boolean',
    'required /nodes/0/traits: "supports_progress" is missing in "traits", expected a boolean',
    'required /nodes/0/traits: "supports_previews" is missing in "traits", expected a boolean',
    'enum /nodes/0/traits/side_effects: "side_effects" is "locl", expected one of "none", "local", "external"; ' +
    'did you mean "local"?',
  ]);
});

test("validateManifest() reports a misspelled name once, whether the member is required or not", () => {
  const { title: titel, ...node } = smallNode();
  const required = validateManifest({ ...manifest, nodes: [{ ...node, titel }] });
  assert.deepEqual(required.findings.map(({ rule, pointer, meant }) => [rule, pointer, meant]), [
    ["additional_property", "/nodes/0/titel", "title"],
  ]);
  const optional = validateManifest(withNode({ inputs: [{ ...smallInput(), minimun: 1 }] }));
  assert.deepEqual(optional.findings.map(({ rule, pointer, meant }) => [rule, pointer, meant]), [
    ["additional_property", "/nodes/0/inputs/0/minimun", "minimum"],
  ]);
});

test("validateManifest() does not mean a member that is there already", () => {
  const { findings: [finding, ...others] } = validateManifest(withNode({ titel: "x" }));
  assert.deepEqual([finding.rule, finding.meant, others], ["additional_property", undefined, []]);
});

test("validateManifest() reports every repeated item and where the first one is", () => {
  const { findings } = validateManifest(withNode({ inputs: [smallInput({ values: ["a", "b", "a", "b"] })] }));
  assert.deepEqual(findings.map(({ rule, pointer, otherPointer }) => [rule, pointer, otherPointer]), [
    ["unique_items", "/nodes/0/inputs/0/values/2", "/nodes/0/inputs/0/values/0"],
    ["unique_items", "/nodes/0/inputs/0/values/3", "/nodes/0/inputs/0/values/1"],
  ]);
  const many = ["x", ...Array.from({ length: 100 }, (_, i) => `v${i}`), "v7"];
  const [found] = validateManifest(withNode({ inputs: [smallInput({ values: many as [string] })] })).findings;
  assert.deepEqual([found.pointer, found.otherPointer], [
    "/nodes/0/inputs/0/values/101",
    "/nodes/0/inputs/0/values/8",
  ]);
});

test("validateManifest() keeps maxFindings findings and counts the others", () => {
  const bad = { ...manifest, nodes: Array.from({ length: 1500 }, () => ({ ...smallNode(), title: "" })) };
  const standard = validateManifest(bad);
  assert.deepEqual([standard.findings.length, standard.omitted], [1000, 500]);
  const { valid, findings, omitted } = validateManifest(bad, { maxFindings: 2 });
  assert.deepEqual([valid, findings.map(({ pointer }) => pointer), omitted], [
    false,
    ["/nodes/0/title", "/nodes/1/title"],
    1498,
  ]);
  assert.deepEqual(validateManifest(bad, { maxFindings: 0 }), { valid: false, findings: [], omitted: 1500 });
  assert.equal(validateManifest(bad, { maxFindings: Infinity }).findings.length, 1500);
  assert.throws(
    () => validateManifest(bad, { maxFindings: -1 }),
    /^RangeError: Cannot keep findings: maxFindings is -1, expected /,
  );
  assert.throws(() => validateManifest(bad, { maxFindings: NaN }), RangeError);
});

test("validateManifest() takes undefined members for absent ones, as JSON does", () => {
  assert.equal(validateManifest(withNode({ presentation: undefined })).valid, true);
  assert.deepEqual(validateManifest(withNode({ title: undefined })).findings.map(({ rule }) => rule), ["required"]);
});

test("validateManifest() takes names of Object.prototype for ordinary ones", () => {
  const named = (name: string) => validateManifest(JSON.parse(`{"${name}": 1}`)).findings.at(-1)!;
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    assert.deepEqual([named(name).rule, named(name).pointer], ["additional_property", `/${name}`]);
    const [finding] = validateManifest(withNode({ inputs: [{ ...smallInput(), type: name }] })).findings;
    assert.deepEqual([finding.rule, finding.pointer], ["enum", "/nodes/0/inputs/0/type"]);
  }
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});

test("validateManifest() finds what is not JSON in a value, however deep", () => {
  for (const wrong of [NaN, Infinity, 1n, Symbol.iterator, () => 1, undefined]) {
    const { findings } = validateManifest(withNode({ inputs: [{ ...smallInput(), default: { a: [0, wrong] } }] }));
    assert.deepEqual(findings.map(({ rule, pointer }) => [rule, pointer]), [
      ["type", "/nodes/0/inputs/0/default/a/1"],
    ]);
  }
});

test("validateManifest() ends on a value that contains itself", () => {
  const circle: unknown[] = [];
  circle.push({ again: circle, twice: circle });
  const { findings } = validateManifest(withNode({ inputs: [{ ...smallInput(), default: circle }] }));
  assert.deepEqual(findings.map(({ rule, pointer }) => [rule, pointer]), [
    ["type", "/nodes/0/inputs/0/default/0/again"],
    ["type", "/nodes/0/inputs/0/default/0/twice"],
  ]);
  const shared = { a: 1 };
  assert.equal(validateManifest(withNode({ inputs: [{ ...smallInput(), default: [shared, shared] }] })).valid, true);
});

test("parseManifest() returns the manifest of a text, of bytes and of a value", () => {
  const text = JSON.stringify(manifest);
  assert.deepEqual(parseManifest(text), manifest);
  assert.deepEqual(parseManifest(new TextEncoder().encode(text)), manifest);
  assert.equal(parseManifest(manifest), manifest);
});

test("parseManifest() throws one error that carries all findings", () => {
  const text = '{\n  "provider_id": "Demo", "nodes": []\n}';
  const expected = validateManifestText(text).findings;
  assert.throws(() => parseManifest(text), (error) => {
    assert.ok(error instanceof ManifestError);
    assert.deepEqual(error.findings, expected);
    assert.equal(
      error.message,
      'Cannot read the manifest: "contract_version" is missing in the manifest, expected a string (line 1, column 1), ' +
        "and 3 more findings",
    );
    return true;
  });
  assert.throws(
    () => parseManifest({ ...manifest, provider_id: "Demo" }),
    /^ManifestError: Cannot read the manifest: at \/provider_id "provider_id" is "Demo", expected "svc-", then/,
  );
  assert.throws(() => parseManifest("{}", { maxFindings: 0 }), /it has 4 violations of the contract, all omitted/);
});
