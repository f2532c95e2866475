import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenRule } from "../../../lib/engines/output_grammar/check_value.ts";
import { uniformAt } from "../../../lib/protocol/mod.ts";

type Schema = Record<string, unknown>;

/** Choices that depend on a seed alone. */
class Draw {
  readonly #seed: number;
  #at = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  below(max: number): number {
    return Math.floor(uniformAt(this.#seed, this.#at++) * max);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  list<T>(max: number, make: () => T): T[] {
    return Array.from({ length: this.below(max + 1) }, make);
  }
}

const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];
const NAMES = ["a", "b", "a/b", "c~d"];
const VALUES = [null, true, 0, 1, -1.5, 2, "", "a", "\u{1f600}b", [], [1], {}, { a: 1 }, { b: [null] }];

function schemaOf(draw: Draw, depth: number): unknown {
  const inner = () => depth === 0 ? draw.of([true, false, {}, { type: draw.of(TYPES) }]) : schemaOf(draw, depth - 1);
  const some = () => [inner(), ...draw.list(2, inner)];
  const keywords: Record<string, () => unknown> = {
    type: () =>
      draw.of([draw.of(TYPES), [draw.of(TYPES), draw.of(TYPES)].filter((type, i, all) => all.indexOf(type) === i)]),
    enum: () => VALUES.filter(() => draw.below(2) === 0).concat(7),
    const: () => draw.of(VALUES),
    properties: () => Object.fromEntries(NAMES.slice(0, 1 + draw.below(4)).map((name) => [name, inner()])),
    required: () => NAMES.filter(() => draw.below(4) === 0),
    additionalProperties: inner,
    propertyNames: () => draw.of([{ maxLength: 1 }, { enum: ["a", "b"] }, { minLength: 2 }, true]),
    items: inner,
    prefixItems: some,
    minItems: () => draw.below(3),
    maxItems: () => draw.below(3),
    minLength: () => draw.below(3),
    maxLength: () => draw.below(3),
    minimum: () => draw.below(3) - 1,
    maximum: () => draw.below(3),
    exclusiveMinimum: () => draw.below(3) - 2,
    exclusiveMaximum: () => draw.below(3),
    allOf: some,
    anyOf: some,
    oneOf: some,
    $ref: () => draw.of(["#/$defs/x", "#/$defs/y%7Ez"]),
  };
  return Object.fromEntries(draw.list(3, () => draw.of(Object.keys(keywords))).map((name) => [name, keywords[name]()]));
}

function valueOf(draw: Draw, depth: number): unknown {
  const kind = depth === 0 ? 0 : draw.below(3);
  if (kind === 0) return draw.of(VALUES);
  if (kind === 1) return draw.list(3, () => valueOf(draw, depth - 1));
  return Object.fromEntries(draw.list(3, () => [draw.of(NAMES), valueOf(draw, depth - 1)]));
}

test("brokenRule() judges as Ajv does, by two thousand schemas and their values", () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, logger: false });
  let right = 0;
  let compared = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const draw = new Draw(seed);
    const schema = {
      ...schemaOf(draw, 2) as Schema,
      $defs: {
        x: schemaOf(new Draw(seed + 1e6), 0),
        "y~z": { anyOf: [{ type: "array", items: { $ref: "#/$defs/x" } }, true] },
      },
    };
    // What refers to itself at one position is refused before.
    if (JSON.stringify((schema.$defs as Schema).x).includes("$ref")) continue;
    const validate = ajv.compile(schema);
    for (let i = 0; i < 6; i++) {
      const value = valueOf(draw, 2);
      const expected = validate(value);
      const broken = brokenRule(schema, value);
      assert.equal(
        broken === undefined,
        expected,
        `${JSON.stringify([schema, value])}: ${broken?.path} ${broken?.rule}`,
      );
      compared++;
      if (expected) right++;
    }
  }
  assert.ok(compared > 8_000 && right > 1_000 && compared - right > 1_000, `${right} of ${compared} hold`);
});

test("brokenRule() resolves references within the nearest schema with an id", () => {
  const schema = {
    $defs: {
      x: { type: "null" },
      inner: { $id: "https://example.org/inner", $defs: { x: { type: "string" } }, $ref: "#/$defs/x" },
    },
    prefixItems: [{ $ref: "#/$defs/x" }, { $ref: "#/$defs/inner" }],
  };
  assert.equal(brokenRule(schema, [null, "a"]), undefined);
  assert.deepEqual(brokenRule(schema, [null, null]), { path: "/1", rule: "must be string" });
  assert.deepEqual(brokenRule(schema, ["a", "a"]), { path: "/0", rule: "must be null" });
});

test("brokenRule() ends with its steps, and names what is broken before", () => {
  const schema = { type: "array", items: { type: "string", maxLength: 1 } };
  const value = [...new Array(100).fill("a"), "long"];
  assert.deepEqual(brokenRule(schema, value), { path: "/100", rule: "must have at most 1 characters" });
  assert.equal(brokenRule(schema, value, 50), undefined);
  assert.deepEqual(brokenRule(schema, {}, 50), { path: "", rule: "must be array" });
});
