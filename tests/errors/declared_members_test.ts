import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { holding, ignoredSentences, otherMembers, refusing } from "../../lib/errors/declared_members.ts";
import { jsonObjectField, listField, recordField } from "../../lib/json/bounded_fields.ts";

test("ignoredSentences() writes what fits into a header, in ASCII, and says how many there were besides", () => {
  const field = (name: string) => ({ path: `m[0].${name}`, name, known: ["content"] });
  assert.deepEqual(ignoredSentences([field("kontent"), field("é\n")]), [
    'Ignored the unknown field "m[0].kontent", did you mean "content"?',
    'Ignored the unknown field "m[0].\\u00e9\\n"',
  ]);
  const many = ignoredSentences(Array.from({ length: 40 }, () => field("zzzzzzz")));
  assert.deepEqual([many.length, many.at(-1)], [17, "Ignored 24 more fields"]);
});

test("ignoredSentences() fits into a header whatever the names are", () => {
  const long = Array.from(
    { length: 5000 },
    (_, i) => ({ path: `a${i}.${"\u4e2d".repeat(5000)}`, name: "x", known: [] }),
  );
  const sentences = ignoredSentences(long);
  const text = sentences.join(", ");
  assert.ok(text.length < 5000, String(text.length));
  assert.match(text, /^[\x20-\x7e]+$/);
  assert.equal(sentences.at(-1), `Ignored ${5000 - (sentences.length - 1)} more fields`);
});

const inner = refusing(v.object({ a: v.number() }), [{ field: "strict", neutral: [false], remedy: "leave it out" }]);
const schema = v.object({
  one: v.nullish(v.pipe(inner, v.transform(({ a }) => a))),
  many: v.optional(listField(v.lazy(() => inner), { max: 9, expected: "expected few" })),
  map: v.optional(recordField(v.unknown(), { max: 9, expected: "expected a map" })),
  json: v.optional(jsonObjectField("expected an object")),
  any: holding(v.optional(v.unknown()), v.object({ type: v.optional(v.unknown()), list: v.array(inner) })),
});
const found = (value: unknown) => otherMembers(schema, value);

test("otherMembers() names what no schema declares, at every depth, with its path", () => {
  const value = {
    one: { a: 1, b: 2 },
    many: [{ a: 1 }, { a: 2, "x y": 0 }],
    z: 1,
    any: { type: 1, list: [{ c: 1 }], d: 1 },
  };
  assert.deepEqual(found(value).warnings.map((sentence) => /"(.*?)"/.exec(sentence)?.[1]), [
    "one.b",
    "many[1].x y",
    "z",
    "any.list[0].c",
    "any.d",
  ]);
});

test("otherMembers() leaves maps and JSON alone, and values of another kind than declared", () => {
  const free = { map: { x: { y: 1 } }, json: { properties: { a: {} }, x: 1 }, one: null, any: "required" };
  assert.deepEqual(found(free), { refused: undefined, ignored: [], warnings: [] });
  assert.deepEqual(found({ many: { a: 1 }, one: [1] }).warnings, []);
});

test("otherMembers() refuses what would change the result by its path, unless it asks for nothing", () => {
  const { refused } = found({ many: [{ a: 1 }, { a: 1, strict: true }] });
  assert.deepEqual(refused, { path: "many[1].strict", reason: '"many[1].strict" is true, leave it out' });
  for (const strict of [false, null]) {
    assert.deepEqual(found({ one: { a: 1, strict } }), { refused: undefined, ignored: [], warnings: [] });
  }
  const top = [{ field: "n", remedy: "expected 1" }];
  assert.equal(otherMembers(schema, { n: 2 }, top).refused?.path, "n");
});

test("otherMembers() counts ten thousand unknown members and keeps the first", () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`private_${i}`, i]));
  const { warnings } = found({ one: { a: 1, ...many } });
  assert.deepEqual([warnings.length, warnings.at(-1)], [17, "Ignored 9984 more fields"]);
});
