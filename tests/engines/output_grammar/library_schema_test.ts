import assert from "node:assert/strict";
import { test } from "node:test";
import { loadXGrammar } from "../../../lib/app/models/engine/load_xgrammar.ts";
import type { XGrammarModule } from "../../../lib/engines/constrained_decoding/grammar_constrainer.ts";
import { passes } from "../../support/grammar_walk.ts";

type Schema = Record<string, unknown>;

/** Whether the grammar that xgrammar itself makes of a schema accepts a text. */
async function libraryPasses({ Grammar, Testings }: XGrammarModule, schema: Schema, text: string): Promise<boolean> {
  const grammar = await Grammar.fromJSONSchema(JSON.stringify(schema), true, undefined, undefined, false);
  try {
    return await Testings.isGrammarAcceptString(grammar, text);
  } finally {
    grammar.dispose();
  }
}

const object = { type: "object", properties: { a: { type: "integer" } } };

/** Schemas of keywords that both take, with a text and whether the schema allows it. */
const cases: readonly (readonly [what: string, schema: Schema, text: string, isValid: boolean])[] = [
  ["a lower bound with a fraction", { type: "number", minimum: 0.5 }, "0.55", true],
  ["an upper bound", { type: "number", minimum: 0.5, maximum: 3 }, "3.01", false],
  ["an exclusive bound", { type: "number", exclusiveMinimum: 0, maximum: 1 }, "0", false],
  ["integers that a double holds", { type: "integer" }, "9".repeat(400), false],
  ["a type beside values", { type: "string", enum: ["k", 1] }, "1", false],
  ["a pattern anywhere in a text", { type: "string", pattern: "ab" }, '"xaby"', true],
  ["a pattern with a quote", { type: "string", pattern: '^a"$' }, '"a\\""', true],
  ["a dot and a bare quote", { type: "string", pattern: "^.$" }, '"""', false],
  ["a class and a bare line break", { type: "string", pattern: "^[^a]$" }, '"\n"', false],
  ["lengths of escaped texts", { type: "string", minLength: 2, maxLength: 3 }, '"\\n\\u00e9x"', true],
  ["halves of surrogate pairs", { type: "string" }, '"\\ud800"', false],
  ["days of February", { type: "string", format: "date" }, '"2023-02-29"', false],
  ["members that are required only", { ...object, required: ["b"], additionalProperties: true }, '{"a":1}', false],
  ["a key twice", { ...object, additionalProperties: { type: "null" } }, '{"a":1,"a":null}', false],
  ["tuples that end early", { type: "array", prefixItems: [{ type: "null" }] }, "[]", true],
  ["allOf", { allOf: [{ type: "integer", minimum: 3 }, { maximum: 5 }] }, "6", false],
  ["a rule beside $ref", { $ref: "#/$defs/i", maximum: 5, $defs: { i: { type: "integer" } } }, "6", false],
  ["a rule beside anyOf", { ...object, anyOf: [{ required: ["a"] }] }, "{}", false],
];

test("schemas are not compiled by xgrammar, whose grammars let wrong answers through and right ones not", async () => {
  const library = await loadXGrammar();
  for (const [what, schema, text, isValid] of cases) {
    assert.equal(await passes({ kind: "json_schema", schema, strict: false }, text), isValid, what);
    const isSame = await libraryPasses(library, schema, text) === isValid;
    assert.ok(!isSame, `${what}: xgrammar is right today; see what else is missing before schemas are left to it`);
  }
});
