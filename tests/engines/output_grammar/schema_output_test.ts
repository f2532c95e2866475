import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutputConstraint } from "../../../lib/engines/contract/language_model.ts";
import { outputGrammar } from "../../../lib/engines/output_grammar/output_grammar.ts";
import { uniformAt } from "../../../lib/protocol/mod.ts";
import { passedBeginning, passes, walkGrammar } from "../../support/grammar_walk.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

type Schema = Record<string, unknown>;

const following = (schema: Schema, strict = false): OutputConstraint => ({ kind: "json_schema", schema, strict });

/** Random outputs follow a schema, as another validator sees it. */
async function holds(schema: Schema, walks = 5, seed = 1): Promise<void> {
  const validate = new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(schema);
  for (let walk = 0; walk < walks; walk++) {
    for (const strict of [false, true]) {
      const text = await walkGrammar(following(schema, strict), seed + walk);
      if (text === undefined) continue;
      const value = JSON.parse(text);
      assert.ok(validate(value), `${text} ${JSON.stringify(schema)} ${JSON.stringify(validate.errors)}`);
    }
  }
}

async function lets(schema: Schema, passing: readonly string[], failing: readonly string[]): Promise<void> {
  for (const text of passing) assert.ok(await passes(following(schema), text), `${text} passes`);
  for (const text of failing) assert.ok(!(await passes(following(schema), text)), `${text} does not pass`);
}

function refuses(schema: Schema, param: string, code = "unsupported_parameter"): void {
  const path = `response_format.json_schema.schema${param}`;
  assert.throws(() => outputGrammar(following(schema)), (error) => {
    assert.ok(error instanceof SvcError, String(error));
    assert.deepEqual([error.param, error.code], [path, code]);
    assert.match(error.message, /^Cannot complete the chat: "[^"]+.*[^.]$/s);
    return true;
  });
}

test("json_object is any object and nothing else", async () => {
  for (let seed = 0; seed < 6; seed++) {
    const text = await walkGrammar({ kind: "json_object" }, seed);
    if (text !== undefined) assert.equal(Object.prototype.toString.call(JSON.parse(text)), "[object Object]");
  }
  for (const text of ["{}", '{"a": [1, {"b": null}]}', '{\n  "a": true\n}']) {
    assert.ok(await passes({ kind: "json_object" }, text), text);
  }
  for (const text of ["[]", "1", '{"a":1}}', "{'a':1}", '{"a":01}', " {}", '{"a":"\n"}', `{${" ".repeat(40)}}`]) {
    assert.ok(!(await passes({ kind: "json_object" }, text)), text);
  }
});

test("types, const and enum hold", async () => {
  await lets({ type: "integer" }, ["0", "-12"], ["1.0", "01", "1e2", "null", "1".repeat(16)]);
  await lets({ type: ["string", "null"] }, ['"a"', "null"], ["1", "true"]);
  await lets({ const: { a: [1, "x"] } }, ['{"a":[1,"x"]}', '{"a": [1, "x"]}'], ['{"a":[1]}', "{}"]);
  // Alternatives with the same beginning and the same end.
  const enumerated = ["k", "a", 'a"b', "kab", "ka", "aab", 1, 12, null];
  const wrong = ['"k\\"b"', '"a\\"b\\"b"', '"kb"', "2", '""'];
  await lets({ enum: enumerated }, enumerated.map((value) => JSON.stringify(value)), wrong);
  await lets({ type: "string", enum: enumerated }, ['"k"'], ["1", "null"]);
  await holds(
    { anyOf: [{ const: "k" }, { enum: ["a", 'a"b', 1] }, { type: "string", minLength: 3, maxLength: 6 }] },
    12,
  );
});

test("numbers keep their bounds", async () => {
  await lets({ type: "integer", minimum: -5, exclusiveMaximum: 120 }, ["-5", "0", "119"], ["-6", "120", "200", "-50"]);
  await lets({ type: "number", minimum: 0.5, maximum: 3 }, ["0.5", "0.55", "3", "3.0", "2.9"], ["0.49", "3.01", "0"]);
  await lets({ type: "number", exclusiveMinimum: 0, maximum: 1 }, ["0.001", "1"], ["0", "0.0", "1.1", "-0.5"]);
  for (const bounds of [{ minimum: 1e-7 }, { maximum: -2.5 }, { exclusiveMinimum: -0.1, exclusiveMaximum: 0.1 }]) {
    await holds({ type: "number", ...bounds }, 6);
  }
  await holds({ type: "array", minItems: 3, items: { type: "integer", minimum: 17, maximum: 4711 } });
});

test("strings keep their lengths, in letters", async () => {
  await lets({ type: "string", minLength: 2, maxLength: 3 }, ['"ab"', '"😀é"', '"\\n\\u00e9x"'], [
    '"a"',
    '"abcd"',
    '"\\n"',
  ]);
  await holds({ type: "array", minItems: 3, items: { type: "string", minLength: 4, maxLength: 9 } }, 8);
  assert.equal(await passedBeginning(following({ maxLength: 40 }), `"${"x".repeat(50)}"`), `"${"x".repeat(40)}`);
});

test("patterns and formats hold", async () => {
  const named = { type: "string", pattern: "^[A-Z]{2}-(\\d+|x)$" };
  await lets(named, ['"AB-12"', '"AB-x"'], ['"AB-"', '"ab-1"', '"AB-1 "']);
  await lets({ type: "string", pattern: 'a"\\\\' }, ['"a\\"\\\\"', '"xxa\\"\\\\yy"'], ['"a"']);
  await lets({ type: "string", pattern: "^(a*)*$" }, ['""', '"aaa"'], ['"b"']);
  await lets({ type: "string", pattern: "^[^a-c]$" }, ['"d"', '"é"', '"\\n"'], ['"a"', '"dd"']);
  await lets({ type: "string", format: "date" }, ['"2024-02-29"'], ['"2023-02-29"', '"2024-13-01"', '"today"']);
  await lets({ type: "string", format: "uuid" }, ['"00112233-4455-6677-8899-aabbccddeeff"'], ['"x"']);
  for (const pattern of ["^(foo|bar)?$", "[^a]$", "^\\w+@\\w+\\.(com|org)$", "^(ka|aa|aab|(a|b)*b)$", "x{2,}"]) {
    await holds({ type: "string", pattern }, 4);
  }
});

test("objects have what they must have, and no key that is taken twice", async () => {
  const schema = {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["days", "extra"],
    additionalProperties: { type: "boolean" },
  };
  await lets(schema, ['{"days":1,"extra":true}', '{"city": "x", "days": 1, "extra": true, "e": false}'], [
    '{"days":1}',
    '{"days":1,"extra":1}',
    '{"days":1,"extra":true,"city":true}',
    '{"days":1,"extra":true,"a":1}',
  ]);
  await lets({ type: "object", properties: { a: {} }, additionalProperties: false }, ["{}", '{"a":[]}'], ['{"b":1}']);
  await lets({ type: "object", propertyNames: { enum: ["a", "b"] } }, ['{"a":1,"b":2}', "{}"], ['{"c":1}']);
  const closed = { type: "object", properties: { a: { type: "null" } } };
  assert.ok(!(await passes(following(closed, true), '{"a":null,"b":1}')));
  assert.ok(await passes(following(closed, false), '{"a":null,"b":1}'));
});

test("arrays keep their lengths and the places of their elements", async () => {
  const schema = { type: "array", prefixItems: [{ type: "string" }, { type: "null" }], items: { type: "integer" } };
  await lets(schema, ["[]", '["a"]', '["a",null,1,2]'], ["[1]", '["a",1]', '["a",null,"b"]']);
  await lets({ type: "array", items: { const: 1 }, minItems: 2, maxItems: 3 }, ["[1,1]", "[1, 1,\n  1]"], [
    "[1]",
    "[1,1,1,1]",
  ]);
  await lets({ type: "array", items: [{ const: 1 }], additionalItems: false }, ["[1]"], ["[1,1]"]);
  await lets({ type: "array", maxItems: 0 }, ["[]"], ["[1]"]);
});

test("references, also those that return, and compositions hold", async () => {
  const tree = {
    $ref: "#/$defs/node",
    $defs: {
      node: {
        type: "object",
        properties: { value: { type: "integer" }, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
        required: ["value", "next"],
        additionalProperties: false,
      },
    },
  };
  await lets(tree, ['{"value":1,"next":{"value":2,"next":null}}'], ['{"value":1}', '{"value":1,"next":{}}']);
  await lets({ allOf: [{ type: "integer", minimum: 3 }, { maximum: 5 }] }, ["4"], ["2", "6"]);
  const kinds = ["a", "b"].map((kind) => ({
    type: "object",
    properties: { kind: { const: kind }, [kind]: { type: "integer" } },
    required: ["kind", kind],
  }));
  await lets({ oneOf: kinds }, ['{"kind":"a","a":1}', '{"kind":"b","b":1}'], ['{"kind":"a","b":1}']);
  await lets({ type: "object", properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] }, [
    '{"a":1}',
    '{"b":1}',
  ], ["{}"]);
});

test("random schemas hold in random outputs", async () => {
  const draw = (seed: number, index: number, count: number) => Math.floor(uniformAt(seed, index) * count);
  const leaves: Schema[] = [
    { type: "string", maxLength: 4 },
    { type: "integer", minimum: -20, maximum: 300 },
    { enum: ["ka", "aa", "aab", 7, 'a"b'] },
    { type: ["boolean", "null"] },
    { type: "string", pattern: "^\\d{3}-\\w*$" },
    { type: "number", exclusiveMinimum: 2.25 },
  ];
  const make = (seed: number, depth: number): Schema => {
    const kind = draw(seed, 0, depth === 0 ? 1 : 4);
    const inner = (i: number) => make(seed * 7 + i, depth - 1);
    if (kind === 1) {
      return { type: "array", items: inner(1), minItems: draw(seed, 1, 2), maxItems: 2 + draw(seed, 2, 2) };
    }
    if (kind === 2) return { anyOf: [inner(1), inner(2)] };
    if (kind === 3) {
      const names = ["a", "ab", "é", 'q"'].slice(0, 1 + draw(seed, 3, 4));
      return {
        type: "object",
        properties: Object.fromEntries(names.map((name, i) => [name, inner(i)])),
        required: names.filter((_, i) => draw(seed, 4 + i, 2) === 0),
        ...draw(seed, 9, 2) === 0 ? { additionalProperties: inner(8) } : {},
      };
    }
    return leaves[draw(seed, 10, leaves.length)];
  };
  for (let seed = 1; seed <= 12; seed++) await holds(make(seed, 3), 1, seed);
});

test("what cannot be kept to is refused with its path", () => {
  const unsupported: readonly [string, unknown][] = [
    ["not", {}],
    ["if", {}],
    ["uniqueItems", true],
    ["contains", {}],
    ["multipleOf", 3],
    ["patternProperties", {}],
    ["dependentRequired", {}],
    ["minProperties", 1],
    ["maxProperties", 1],
    ["unevaluatedProperties", false],
    ["$dynamicRef", "#a"],
    ["maxlength", 3],
  ];
  for (const [keyword, value] of unsupported) {
    refuses({ type: "object", properties: { a: { [keyword]: value } } }, `.properties.a.${keyword}`);
  }
  refuses({ pattern: "(?=a)" }, ".pattern");
  refuses({ pattern: "(a)\\1" }, ".pattern");
  refuses({ format: "iri" }, ".format");
  refuses({ $ref: "https://example.com/a" }, ".$ref");
  refuses({ oneOf: [{ type: "integer" }, { type: "number" }] }, ".oneOf");
  refuses({ enum: [1], minimum: 0 }, ".minimum");
  refuses({ pattern: "^a*b*$", maxLength: 3 }, ".pattern");
  for (const keyword of ["title", "description", "default", "examples", "$comment", "x-order"]) {
    assert.doesNotThrow(() => outputGrammar(following({ [keyword]: "a" })), keyword);
  }
});

test("wrong schemas are refused with what is wrong", () => {
  const code = "invalid_response_format";
  refuses({ type: "bogus" }, ".type", code);
  refuses({ required: "a" }, ".required", code);
  refuses({ properties: { a: 3 } }, ".properties", code);
  refuses({ minItems: -1 }, ".minItems", code);
  refuses({ anyOf: [] }, ".anyOf", code);
  refuses({ type: "integer", minimum: 3, maximum: 2 }, "", code);
  refuses({ allOf: [{ type: "string" }, { type: "null" }] }, "", code);
});

test("hostile schemas are refused soon", () => {
  const code = "invalid_response_format";
  const started = performance.now();
  let deep: Schema = {};
  for (let i = 0; i < 5000; i++) deep = { items: deep };
  refuses(deep, "", code);
  refuses({ enum: Array.from({ length: 100_000 }, (_, i) => i) }, "", code);
  refuses({ enum: ["x".repeat(100_000)] }, "", code);
  refuses({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }, ".$ref", code);
  const endless = { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] };
  refuses(endless, "", code);
  const two = (i: number) => ({ anyOf: [{ properties: { [`a${i}`]: {} } }, { properties: { [`b${i}`]: {} } }] });
  refuses({ allOf: Array.from({ length: 30 }, (_, i) => two(i)) }, "", code);
  refuses({ pattern: "((a{1,1000}){1,1000}){1,1000}" }, ".pattern");
  refuses({ pattern: `${"(".repeat(2000)}a${")".repeat(2000)}` }, ".pattern");
  assert.ok(performance.now() - started < 10_000);
});

test("calls are forced, or kept to their schema where a model makes them", async () => {
  const schema = {
    type: "object",
    properties: { name: { const: "f" }, arguments: { type: "object", properties: { n: { type: "integer" } } } },
    required: ["name", "arguments"],
    additionalProperties: false,
  };
  const calls = { open: "<tool_call>\n", close: "\n</tool_call>", schema, repeated: true };
  const call = '<tool_call>\n{"name": "f", "arguments": {"n": 1}}\n</tool_call>';
  const forced: OutputConstraint = { kind: "tool_calls", calls, forced: true };
  assert.ok(await passes(forced, call));
  assert.ok(await passes(forced, `${call}\n${call}`));
  assert.ok(!(await passes({ ...forced, calls: { ...calls, repeated: false } }, `${call}\n${call}`)));
  assert.ok(!(await passes(forced, `Well: ${call}`)));
  const free: OutputConstraint = { ...forced, forced: false };
  for (
    const text of ["", "I <think> of <tool_cal", `Well: ${call} and ${call}.`, "<<tool_call", call.replaceAll("\n", "")]
  ) {
    assert.ok(await passes(free, text), text);
  }
  const wrong = '<tool_call>\n{"name": "g", "arguments": {}}';
  assert.equal(await passedBeginning(free, `a${wrong}`), 'a<tool_call>\n{"name": "');
  // Arguments are the client's to check: what cannot be kept to is left out.
  const odd = {
    ...calls,
    schema: { ...schema, properties: { ...schema.properties, arguments: { uniqueItems: true } } },
  };
  assert.ok(await passes({ ...forced, calls: odd }, call));
});
