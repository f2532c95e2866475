import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Input,
  LINT_RULES,
  lintManifest,
  lintManifestText,
  type LintRuleId,
  type Node,
  validateManifest,
  type ValueSchema,
} from "../../lib/manifest/mod.ts";
import { realManifests } from "./manifest_cases.ts";
import { smallInput, smallManifest, smallNode, smallOutput } from "./small_manifest.ts";

/** What the linter finds in a manifest that conforms. */
function lint(node: Partial<Node>, ...others: Node[]): string[] {
  const manifest = smallManifest(smallNode(node), ...others);
  assert.equal(validateManifest(manifest).valid, true);
  return lintManifest(manifest).findings.map(({ rule, pointer }) => `${rule} ${pointer.replace("/nodes/0/", "")}`);
}
const lintInput = (input: Partial<Input>) =>
  lint({ inputs: [smallInput(input)] }).map((finding) => finding.replace("inputs/0", "."));
const lintSchema = (value_schema: ValueSchema) =>
  lintInput({ type: "json", value_schema }).map((finding) => finding.replace("./value_schema", "."));

test("lintManifestText() finds nothing in real manifests", () => {
  for (const text of realManifests()) assert.deepEqual(lintManifestText(text).findings, []);
});

test("lintManifest() finds repeated kinds, and repeated names within one list of ports", () => {
  assert.deepEqual(lint({}, smallNode()), ["duplicate_kind /nodes/1/kind"]);
  const input = smallInput();
  assert.deepEqual(lint({ inputs: [input, smallInput({ name: "b" }), input] }), ["duplicate_port inputs/2/name"]);
  assert.deepEqual(lint({ outputs: [smallOutput(), smallOutput()] }), ["duplicate_port outputs/1/name"]);
  assert.deepEqual(lint({ inputs: [smallInput({ name: "result" })] }), []);
  const { findings: [{ otherPointer }] } = lintManifest(smallManifest(smallNode(), smallNode()));
  assert.equal(otherPointer, "/nodes/0/kind");
});

test("lintManifest() finds a primary argument that is not an input, and suggests one", () => {
  const node = smallNode({ presentation: { style: "material", primary_argument: "txet" } });
  const { findings: [finding, ...others] } = lintManifest(smallManifest(node));
  assert.deepEqual([finding.rule, finding.meant, others], ["unknown_primary_argument", "text", []]);
  assert.deepEqual(lint({ presentation: { style: "material", primary_argument: "text" } }), []);
});

test("lintManifest() finds ranges and steps that contradict each other", () => {
  assert.deepEqual(lintInput({ type: "number", minimum: 2, maximum: 1 }), ["inverted_range ./minimum"]);
  assert.deepEqual(lintInput({ type: "number", minimum: 1, maximum: 1 }), []);
  assert.deepEqual(lintInput({ type: "number", minimum: 0, maximum: 1, step: 2 }), ["inconsistent_step ./step"]);
  assert.deepEqual(lintInput({ type: "integer", step: 0.5 }), ["inconsistent_step ./step"]);
  assert.deepEqual(lintInput({ type: "number", minimum: 0, maximum: 1, step: 0.1 }), []);
});

test("lintManifest() finds defaults that would be refused", () => {
  assert.deepEqual(lintInput({ type: "integer", default: "1" }), ["default_type ./default"]);
  assert.deepEqual(lintInput({ type: "integer", default: 1.5 }), ["default_type ./default"]);
  assert.deepEqual(lintInput({ type: "integer", default: 11, maximum: 10 }), ["default_out_of_range ./default"]);
  assert.deepEqual(lintInput({ type: "enum", values: ["a"], default: "b" }), ["default_not_in_values ./default"]);
  assert.deepEqual(lintInput({ type: "number", minimum: 0.05, step: 0.1, default: 0.35 }), []);
  assert.deepEqual(lintInput({ type: "number", minimum: 0, step: 0.1, default: 0.35 }), ["default_off_step ./default"]);
  assert.deepEqual(lintInput({ default: null }), []);
  const value_schema: ValueSchema = {
    type: "object",
    properties: { a: { type: "array", items: { type: "integer" } } },
  };
  assert.deepEqual(lintInput({ type: "json", value_schema, default: { a: [1, "x"] } }), ["default_type ./default/a/1"]);
});

test("lintManifest() finds value schemas that say too little, or what does not fit", () => {
  assert.deepEqual(lintInput({ type: "enum" }), ["enum_without_values ."]);
  assert.deepEqual(lintSchema({ type: "enum" }), ["enum_without_values ."]);
  assert.deepEqual(lintSchema({ type: "array" }), ["array_without_items ."]);
  assert.deepEqual(lintSchema({ type: "object", properties: { a: { type: "string" } }, required: ["a", "b"] }), [
    "undeclared_required ./required/1",
  ]);
  assert.deepEqual(lintSchema({ type: "object", properties: { "a/b": { type: "number", minimum: 1, maximum: 0 } } }), [
    "inverted_range ./properties/a~1b/minimum",
  ]);
  assert.deepEqual(lintSchema({ type: "string", title: " \t" }), ["blank_text ./title"]);
  assert.deepEqual(lintSchema({ type: "string", items: { type: "string" } }), ["unused_constraint ./items"]);
});

test("lintManifest() finds fields that mean nothing for the type", () => {
  assert.deepEqual(lintInput({ type: "boolean", minimum: 1 }), ["unused_constraint ./minimum"]);
  assert.deepEqual(lintInput({ type: "integer", multiline: true }), ["unused_constraint ./multiline"]);
  assert.deepEqual(lintInput({ type: "integer", secret: true }), ["secret_not_string ./secret"]);
  assert.deepEqual(lintInput({ type: "integer", secret: false }), []);
  assert.deepEqual(lint({ outputs: [smallOutput({ content_types: ["text/plain"] })] }), [
    "unused_constraint outputs/0/content_types",
  ]);
});

test("lintManifest() finds texts without words, zero minimums and unsafe integers", () => {
  assert.deepEqual(lint({ title: " \u00a0", description: "\n" }), ["blank_text title", "blank_text description"]);
  const requirements = { model_ids: [], accelerator_backends: [], minimum_disk_bytes: 0 };
  assert.deepEqual(lint({ requirements }), ["zero_minimum requirements/minimum_disk_bytes"]);
  assert.deepEqual(lint({ requirements: { ...requirements, minimum_disk_bytes: 2 ** 53 } }), [
    "unsafe_integer requirements/minimum_disk_bytes",
  ]);
  assert.deepEqual(lint({ requirements: { ...requirements, minimum_disk_bytes: 2 ** 53 - 1 } }), []);
});

test("lintManifest() finds versions that are not semantic ones", () => {
  const odd = (provider_version: string) => lintManifest({ provider_version }).findings.map(({ rule }) => rule);
  for (const version of ["01.0.0", "1.0.0.1", "1.0.0-", "1.0.0-a..b", "1.0.0-01"]) {
    assert.deepEqual(odd(version), ["odd_version"], version);
  }
  for (const version of ["0.0.0", "1.20.3", "1.0.0-rc.1", "1.0.0-x-y.0"]) assert.deepEqual(odd(version), [], version);
});

test("lintManifestText() finds repeated members and where the first one is", () => {
  const text = '{"a": {"x": 1, "\\u0078": 2}, "b": [{"x": 1}, {"x": 1}]}';
  const { findings: [finding, ...others] } = lintManifestText(text);
  assert.deepEqual([finding.rule, finding.pointer, finding.column, others], ["duplicate_member", "/a/x", 16, []]);
  assert.equal(finding.other?.column, 8);
});

test("lintManifestText() finds integers that are not read as they are written", () => {
  const text = '{"a": [9007199254740993, 9007199254740991, 1e300, -9007199254740993.0, 10000000000000000000000]}';
  assert.deepEqual(lintManifestText(text).findings.map(({ rule, pointer }) => `${rule} ${pointer}`), [
    "unsafe_integer /a/0",
    "unsafe_integer /a/3",
    "unsafe_integer /a/4",
  ]);
});

test("lintManifest() can be configured by rule", () => {
  const manifest = smallManifest(smallNode({ title: " " }), smallNode());
  const severities = (rules: Partial<Record<LintRuleId, "error" | "warning" | "note" | "off">>) =>
    lintManifest(manifest, { rules }).findings.map(({ rule, severity }) => `${rule} ${severity}`);
  assert.deepEqual(severities({}), ["blank_text warning", "duplicate_kind error"]);
  assert.deepEqual(severities({ blank_text: "error", duplicate_kind: "note" }), [
    "blank_text error",
    "duplicate_kind note",
  ]);
  assert.deepEqual(severities({ blank_text: "off", duplicate_kind: "off" }), []);
  assert.throws(
    () => severities({ blank_txt: "off" } as object),
    /^RangeError: Cannot configure the lint rule "blank_txt": the rule is unknown, did you mean "blank_text"\?$/,
  );
  assert.throws(() => severities({ blank_text: "no" } as object), /its severity is "no", expected error, warning/);
});

test("lintManifest() passes over what does not conform", () => {
  const odd = { provider_version: 7, nodes: [null, { kind: 1, inputs: [{ name: "a", type: "x", minimum: "2" }, 3] }] };
  assert.deepEqual(lintManifest(odd), { findings: [], omitted: 0 });
  assert.deepEqual(lintManifestText("{"), { findings: [], omitted: 0 });
});

test("every lint rule has a severity and a reason", () => {
  for (const [id, { severity, reason }] of Object.entries(LINT_RULES)) {
    assert.match(severity, /^(error|warning)$/, id);
    assert.ok(reason.length > 10, id);
  }
});
