import assert from "node:assert/strict";
import { test } from "node:test";
import { modernSchema } from "../../../lib/engines/output_grammar/schema/modern_schema.ts";
import { outputGrammar } from "../../../lib/engines/output_grammar/output_grammar.ts";
import type { SchemaObject } from "../../../lib/engines/output_grammar/schema/schema_rules.ts";

const becomes = (old: SchemaObject, modern: SchemaObject) => assert.deepEqual(modernSchema(old), modern);

test("modernSchema() lets null pass where a schema is nullable", () => {
  becomes({ type: "string", nullable: true, minLength: 1 }, { type: ["string", "null"], minLength: 1 });
  becomes({ type: ["string", "null"], nullable: true }, { type: ["string", "null"] });
  becomes({ type: "string", enum: ["a"], nullable: true }, { type: ["string", "null"], enum: ["a", null] });
  becomes({ const: 3, nullable: true }, { enum: [3, null] });
  const name = { $ref: "#/$defs/name" };
  becomes({ allOf: [name], nullable: true, title: "x" }, { title: "x", anyOf: [{ allOf: [name] }, { type: "null" }] });
  becomes({ type: "string", nullable: false }, { type: "string", nullable: false });
});

test("modernSchema() writes tuples as prefixItems", () => {
  const [a, b] = [{ type: "string" }, { type: "number" }];
  becomes({ items: [a, b], additionalItems: false }, { prefixItems: [a, b], items: false });
  becomes({ items: [a] }, { prefixItems: [a] });
  becomes({ items: a, additionalItems: false }, { items: a, additionalItems: false });
});

test("modernSchema() looks into schemas, and not into values", () => {
  const nullable = { type: "boolean", nullable: true };
  const modern = { type: ["boolean", "null"] };
  becomes(
    { properties: { nullable, b: { items: nullable } }, $defs: { c: { anyOf: [nullable, true] } } },
    { properties: { nullable: modern, b: { items: modern } }, $defs: { c: { anyOf: [modern, true] } } },
  );
  const value = { type: "string", nullable: true, items: [1] };
  becomes({ enum: [value], default: value, examples: [value] }, { enum: [value], default: value, examples: [value] });
});

test("outputGrammar() keeps to nullable schemas and tuples", () => {
  const exact = (schema: SchemaObject) => outputGrammar({ kind: "json_schema", schema, strict: true }).exact;
  assert.equal(exact({ type: "boolean", nullable: true }), exact({ type: ["boolean", "null"] }));
  const items = [{ const: 1 }, { const: 2 }];
  assert.equal(
    exact({ type: "array", items, additionalItems: false, minItems: 2 }),
    exact({ type: "array", prefixItems: items, items: false, minItems: 2 }),
  );
});
