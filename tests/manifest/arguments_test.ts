import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { argumentsSchema, type Input, parseManifest, validateArguments } from "../../lib/manifest/mod.ts";
import { compileSchema } from "./compile_schema.ts";
import { realManifests } from "./manifest_cases.ts";
import { mutated } from "./mutate_manifest.ts";
import { smallInput, smallNode } from "./small_manifest.ts";

const broken = (inputs: readonly Input[], values: unknown) =>
  validateArguments({ inputs }, values).findings.map(({ rule, pointer }) => `${rule} ${pointer}`);

test("validateArguments() checks types, ranges, values and names", () => {
  const inputs = [
    smallInput({ name: "count", type: "integer", minimum: 1, maximum: 9 }),
    smallInput({ name: "mode", type: "enum", values: ["fast", "good"], required: false }),
    smallInput({ name: "files", type: "asset_collection", required: false }),
  ];
  assert.deepEqual(broken(inputs, { count: 3, mode: "good", files: ["a.png"] }), []);
  assert.deepEqual(broken(inputs, { count: 10, mode: "god", files: [""] }), [
    "maximum /count",
    "enum /mode",
    "min_length /files/0",
  ]);
  assert.deepEqual(broken(inputs, { cuont: 3 }), ["additional_property /cuont"]);
  assert.deepEqual(broken(inputs, {}), ["required "]);
  assert.deepEqual(broken(inputs, [3]), ["type "]);
});

test("validateArguments() follows value schemas", () => {
  const inputs = [
    smallInput({
      type: "json",
      value_schema: {
        type: "object",
        properties: { size: { type: "number", minimum: 0 }, tags: { type: "array", items: { type: "string" } } },
        required: ["size"],
        additional_properties: { type: "boolean" },
      },
    }),
  ];
  assert.deepEqual(broken(inputs, { text: { size: 1, tags: ["a"], other: true } }), []);
  assert.deepEqual(broken(inputs, { text: { size: -1, tags: ["a", 2], other: 1 } }), [
    "minimum /text/size",
    "type /text/tags/1",
    "type /text/other",
  ]);
  assert.deepEqual(broken(inputs, { text: {} }), ["required /text"]);
});

test("validateArguments() takes null for what is null by default, and nowhere else", () => {
  assert.deepEqual(broken([smallInput({ default: null })], { text: null }), []);
  assert.deepEqual(broken([smallInput()], { text: null }), ["type /text"]);
});

test("validateArguments() demands an input that is named like a member of Object.prototype", () => {
  assert.deepEqual(broken([smallInput({ name: "constructor" })], {}), ["required "]);
});

test("argumentsSchema() carries the words and defaults of inputs", () => {
  const input = smallInput({ description: "What to say.", default: "hello" });
  const { title, description, properties, required } = argumentsSchema(smallNode({ inputs: [input] }));
  assert.deepEqual([title, description, required], ["Run", "Runs.", ["text"]]);
  assert.deepEqual(properties, { text: { type: "string", description: "What to say.", default: "hello" } });
});

test("argumentsSchema() has in ajv the verdict of validateArguments() on mutated defaults of real nodes", () => {
  const nodes = realManifests().flatMap((text) => parseManifest(text).nodes);
  const checks = nodes.map((node) => ({
    node,
    accepts: compileSchema(argumentsSchema(node)),
    values: Object.fromEntries(node.inputs.map(({ name, default: value = "x" }) => [name, value])),
  }));
  const mutation = fc.record({ place: fc.nat(), action: fc.nat(3), material: fc.nat(100) });
  fc.assert(
    fc.property(
      fc.constantFrom(...checks),
      fc.array(mutation, { maxLength: 2 }),
      ({ node, accepts, values }, mutations) => {
        const changed = mutated(values, mutations);
        assert.equal(validateArguments(node, changed).valid, accepts(changed));
      },
    ),
    { seed: 20260721, numRuns: 500 },
  );
});
