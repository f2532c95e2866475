import assert from "node:assert/strict";
import { test } from "node:test";
import { SchemaFlattener } from "../../../lib/engines/output_grammar/schema/flatten_schema.ts";
import { outputGrammar } from "../../../lib/engines/output_grammar/output_grammar.ts";
import { parsePattern } from "../../../lib/engines/output_grammar/pattern.ts";
import { MAX_STEPS, SchemaBudget } from "../../../lib/engines/output_grammar/schema/schema_limits.ts";
import type { SchemaObject } from "../../../lib/engines/output_grammar/schema/schema_rules.ts";

const of = (schema: SchemaObject) => outputGrammar({ kind: "json_schema", schema, strict: false });
const refs = (to: string, count: number) => Array.from({ length: count }, () => ({ $ref: `#/$defs/${to}` }));

/** Definitions each of which refers twice to the next one. */
function doubled(keyword: string, length: number, end: SchemaObject): SchemaObject {
  const links = Array.from({ length }, (_, i) => [`d${i}`, { [keyword]: refs(`d${i + 1}`, 2) }]);
  return { $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(links), [`d${length}`]: end } };
}

function steps(schema: SchemaObject): number {
  const budget = new SchemaBudget();
  new SchemaFlattener(false, budget).flatten([{ schema, base: schema, path: "schema" }]);
  return MAX_STEPS - budget.left;
}

test("A chain of doubled references costs as much as its length", () => {
  const end = { type: "object", properties: { a: { type: "string" } } };
  const [short, long] = [steps(doubled("allOf", 10, end)), steps(doubled("allOf", 40, end))];
  assert.ok(long < 20 * short, `${short} steps for 10 links, ${long} for 40`);
  assert.match(of(doubled("allOf", 60, end)).exact, /root ::=/);
});

test("Schemas that stand for too much are refused by name before their budget is much overdrawn", () => {
  const numbers = Array.from({ length: 1200 }, (_, i) => ({ const: i }));
  const values = (of: number) => Array.from({ length: 2400 }, (_, i) => i * of);
  const wide = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`p${i}`, true]));
  const hostile: readonly SchemaObject[] = [
    doubled("anyOf", 40, { type: "string" }),
    doubled("oneOf", 20, { type: "object", properties: { a: { type: "string" } } }),
    { allOf: [{ anyOf: numbers.slice(0, 40) }, { anyOf: numbers.slice(0, 40) }, { anyOf: numbers.slice(0, 40) }] },
    { oneOf: numbers },
    { allOf: [{ enum: values(1) }, { enum: values(2) }] },
    {
      $defs: { wide: { properties: wide } },
      anyOf: Array.from({ length: 900 }, () => ({ allOf: refs("wide", 2), minimum: 1 })),
    },
    { type: "string", pattern: "^((a{1000}){1000}){1000}$" },
    { type: "string", pattern: `^${"(a{9}".repeat(40)}${"){9}".repeat(40)}$` },
  ];
  for (const [i, schema] of hostile.entries()) {
    const begin = performance.now();
    assert.throws(() => of(schema), { type: "invalid_request_error" }, `schema ${i}`);
    assert.ok(performance.now() - begin < 10_000, `schema ${i}`);
  }
});

test("SchemaBudget ends a compilation that takes more steps than it has", () => {
  const schema = doubled("allOf", 40, { type: "string" });
  const place = { schema, base: schema, path: "tools" };
  const budget = new SchemaBudget(50);
  assert.throws(() => new SchemaFlattener(false, budget).flatten([place]), {
    code: "invalid_tools",
    message: /takes too long to compile/,
  });
});

test("parsePattern() refuses counts that multiply, and takes those that do not", () => {
  for (const source of ["a{1000}", "(ab?){500}", "^(\\d{4}-){3}\\d{4}$", "(a*)*", "([a-z]{1,100}\\.){1,20}[a-z]+"]) {
    parsePattern(source);
  }
  for (const source of ["(a{1000}){1000}", "((a{100}){100}){100}", "(a{500}b){50}"]) {
    assert.throws(() => parsePattern(source), { name: "PatternError" }, source);
  }
});

test("Schemas that no value satisfies are refused, wherever the contradiction is", () => {
  const impossible: readonly SchemaObject[] = [
    { type: "string", minLength: 5, maxLength: 2 },
    { type: "string", minLength: 2, maxLength: 1, pattern: "^a*$" },
    { type: "string", pattern: "^[a-z]{3}$", allOf: [{ minLength: 9 }, { maxLength: 4 }] },
    { type: "integer", minimum: 5, maximum: 2 },
    { type: "array", minItems: 3, maxItems: 1, items: { type: "null" } },
    { type: "object", properties: { a: { type: "string", minLength: 1, maxLength: 0 } }, required: ["a"] },
    { type: "array", items: { type: "string", minLength: 3, maxLength: 2 }, minItems: 1 },
  ];
  for (const schema of impossible) {
    assert.throws(() => of(schema), { message: /no value satisfies it/, status: 400 }, JSON.stringify(schema));
  }
  const optional = { type: "object", properties: { a: impossible[0], b: { type: "null" } } };
  assert.match(of(optional).exact, /root ::=/);
  const beside = { const: "abc", maxLength: 9 };
  assert.throws(() => of(beside), { message: /maxLength" cannot be enforced, expected no such rule beside "enum" or/ });
});

test("Objects of many optional properties are written at a cost that grows as their number does", () => {
  const optional = (count: number, strict: boolean) => {
    const names = Array.from({ length: count }, (_, i) => [`property_${i}`, { type: "string" }]);
    const schema = { type: "object", properties: Object.fromEntries(names) };
    return outputGrammar({ kind: "json_schema", schema, strict });
  };
  for (const strict of [true, false]) {
    const [few, many] = [optional(100, strict), optional(400, strict)];
    assert.ok(
      many.exact.length < 4.6 * few.exact.length,
      `exact: ${few.exact.length} and ${many.exact.length} letters`,
    );
    assert.ok(
      many.loose.length < 4.6 * few.loose.length,
      `loose: ${few.loose.length} and ${many.loose.length} letters`,
    );
    // A mask of a large vocabulary is computed for each letter of the loose form: keys of other members take none.
    assert.ok(many.loose.length < 400 * 400, `${many.loose.length} letters`);
  }
});
