import assert from "node:assert/strict";
import { test } from "node:test";
import { diffManifests, type Input, type Manifest, type Node, type ValueSchema } from "../../lib/manifest/mod.ts";
import { smallInput, smallManifest, smallNode, smallOutput } from "./small_manifest.ts";

/** The bumps and messages of changes from one node to another. */
function diff(before: Partial<Node>, after: Partial<Node>): string[] {
  const { changes } = diffManifests(smallManifest(smallNode(before)), smallManifest(smallNode(after)));
  return changes.map(({ bump, message }) => `${bump}: ${message}`);
}
const diffInput = (before: Partial<Input>, after: Partial<Input>) =>
  diff({ inputs: [smallInput(before)] }, { inputs: [smallInput(after)] });

test("diffManifests() finds nothing between equal manifests", () => {
  assert.deepEqual(diffManifests(smallManifest(), smallManifest()), {
    changes: [],
    breaking: false,
    bump: "none",
    oldVersion: "1.2.3",
    newVersion: "1.2.3",
    expectedVersion: "1.2.3",
    enough: true,
  });
});

test("diffManifests() takes nodes and ports that are gone for breaking, new ones for additions", () => {
  const two = smallManifest(smallNode(), smallNode({ kind: "demo.stop" }));
  assert.deepEqual(diffManifests(two, smallManifest()).changes, [
    { kind: "demo.stop", bump: "major", message: "the node was removed" },
  ]);
  assert.deepEqual(diffManifests(smallManifest(), two).changes, [
    { kind: "demo.stop", bump: "minor", message: "the node is new" },
  ]);
  const added = smallInput({ name: "more", required: false });
  const text = smallInput();
  assert.deepEqual(diff({}, { inputs: [text, added] }), ['minor: input "more" is new']);
  assert.deepEqual(diff({}, { inputs: [text, { ...added, required: true }] }), [
    'major: input "more" is new and required',
  ]);
  assert.deepEqual(diff({}, { inputs: [] }), ['major: input "text" was removed']);
  assert.deepEqual(diff({}, { outputs: [smallOutput(), smallOutput({ name: "log" })] }), [
    'minor: output "log" is new',
  ]);
  assert.deepEqual(diff({}, { outputs: [smallOutput({ name: "log" })] }), [
    'minor: output "log" is new',
    'major: output "result" was removed',
  ]);
});

test("diffManifests() takes what inputs refuse for breaking, what they take besides for additions", () => {
  const cases: readonly (readonly [Partial<Input>, Partial<Input>, string])[] = [
    [{ required: false }, { required: true }, 'major: input "text" is required now'],
    [{ type: "integer" }, { type: "string" }, 'major: input "text" is of type string, it was integer'],
    [{ type: "integer" }, { type: "number" }, 'minor: input "text" is of type number, it was integer'],
    [{ type: "number", minimum: 0 }, { type: "number", minimum: 1 }, 'major: the minimum of input "text" is stricter'],
    [{ type: "number", maximum: 9 }, { type: "number" }, 'minor: the maximum of input "text" is looser'],
    [{ type: "enum", values: ["a", "b"] }, { type: "enum", values: ["b"] }, 'major: input "text" no longer takes "a"'],
    [{ type: "enum", values: ["b"] }, { type: "enum", values: ["a", "b"] }, 'minor: input "text" takes "a" now'],
    [{ default: "a" }, { default: "b" }, 'minor: the default of input "text" has changed'],
    [{ type: "asset" }, { type: "asset", content_types: ["a/b"] }, 'major: input "text" takes only a/b now'],
    [{}, { secret: true }, 'major: input "text" is a secret now'],
    [{}, { description: "x" }, 'patch: the description of input "text" has changed'],
  ];
  for (const [before, after, expected] of cases) assert.deepEqual(diffInput(before, after), [expected]);
});

test("diffManifests() compares outputs the other way round", () => {
  const outputs = (before: object, after: object) =>
    diff({ outputs: [smallOutput(before)] }, { outputs: [smallOutput(after)] });
  assert.deepEqual(outputs({}, { optional: true }), ['major: output "result" is optional now']);
  assert.deepEqual(outputs({ type: "number" }, { type: "integer" }), [
    'minor: output "result" is of type integer, it was number',
  ]);
  assert.deepEqual(outputs({ type: "asset", content_types: ["a/b"] }, { type: "asset" }), [
    'major: output "result" gives any content type now',
  ]);
});

test("diffManifests() compares value schemas part by part", () => {
  const schemas = (before: ValueSchema, after: ValueSchema) =>
    diffInput({ type: "json", value_schema: before }, { type: "json", value_schema: after });
  const item = (values: readonly [string, ...string[]]): ValueSchema => ({
    type: "object",
    properties: { list: { type: "array", items: { type: "enum", values } } },
  });
  assert.deepEqual(schemas(item(["a", "b"]), item(["a"])), [
    'major: the items of member "list" of the value of input "text" no longer takes "b"',
  ]);
  const object: ValueSchema = { type: "object", properties: { a: { type: "string" } } };
  assert.deepEqual(schemas(object, { ...object, required: ["a"] }), [
    'major: member "a" of the value of input "text" is required now',
  ]);
});

test("diffManifests() takes what asks more of a machine for breaking", () => {
  const requirements = (before: object, after: object) => {
    const none = { model_ids: [], accelerator_backends: [] };
    return diff({ requirements: { ...none, ...before } }, { requirements: { ...none, ...after } });
  };
  assert.deepEqual(requirements({ model_ids: ["a"] }, { model_ids: ["b"] }), [
    "major: the node needs b now",
    "minor: the node no longer needs a",
  ]);
  assert.deepEqual(requirements({}, { accelerator_backends: ["cuda"] }), ["major: the node runs on cuda only now"]);
  assert.deepEqual(requirements({ accelerator_backends: ["cuda"] }, {}), [
    "minor: the node runs on any accelerator now",
  ]);
  assert.deepEqual(requirements({ minimum_disk_bytes: null }, { minimum_disk_bytes: 7 }), [
    "major: minimum_disk_bytes is 7, it was nothing",
  ]);
  assert.deepEqual(requirements({ network_access: null }, { network_access: false }), []);
  const traits = smallNode().traits;
  assert.deepEqual(diff({}, { traits: { ...traits, cacheable: false, side_effects: "external" } }), [
    "major: the node is not cacheable now",
    "major: the side effects are external, they were none",
  ]);
});

test("diffManifests() says which version the changes ask for", () => {
  const versions = (before: string, after: string, change: "major" | "minor" | "patch") => {
    const title = change === "patch" ? "Other" : "Run";
    const inputs = change === "major"
      ? []
      : change === "minor"
      ? [smallInput(), smallInput({ name: "b", required: false })]
      : undefined;
    const node = smallNode({ title, ...(inputs && { inputs }) });
    const of = (version: string, node?: Node): Manifest => ({ ...smallManifest(node), provider_version: version });
    const { expectedVersion, enough } = diffManifests(of(before), of(after, node));
    return [expectedVersion, enough];
  };
  assert.deepEqual(versions("1.2.3", "1.3.0", "major"), ["2.0.0", false]);
  assert.deepEqual(versions("1.2.3", "2.0.0", "major"), ["2.0.0", true]);
  assert.deepEqual(versions("1.2.3", "1.2.9", "minor"), ["1.3.0", false]);
  assert.deepEqual(versions("1.2.3", "1.2.4", "patch"), ["1.2.4", true]);
  assert.deepEqual(versions("1.2.3", "1.2.3", "patch"), ["1.2.4", false]);
  assert.deepEqual(versions("1.2.3", "1.1.9", "patch"), ["1.2.4", false]);
  assert.deepEqual(versions("0.2.3", "0.3.0", "major"), ["0.3.0", true]);
  assert.deepEqual(versions("0.2.3", "0.2.4", "minor"), ["0.2.4", true]);
  assert.deepEqual(versions("1.2.3-beta", "1.2.3", "major"), ["2.0.0", true]);
});

test("diffManifests() takes another provider for breaking", () => {
  const { changes } = diffManifests(smallManifest(), { ...smallManifest(), provider_id: "svc-other" });
  assert.deepEqual(changes, [{ bump: "major", message: 'the provider is "svc-other", it was "svc-demo"' }]);
});

test("diffManifests() compares defaults by their values, those that cannot be pinned too", () => {
  assert.deepEqual(diffInput({ default: { a: 1, b: [2] } }, { default: { b: [2], a: 1.0 } }), []);
  assert.deepEqual(diffInput({ default: "\ud800" }, { default: "\ud800" }), []);
  assert.deepEqual(diffInput({ default: "\ud800" }, { default: "\ud801" }), [
    'minor: the default of input "text" has changed',
  ]);
});
