import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  canonicalJson,
  lintManifest,
  lintManifestText,
  manifestSchema,
  type SourceFinding,
  validateManifest,
  validateManifestText,
} from "../../lib/manifest/mod.ts";
import { compileSchema } from "./compile_schema.ts";
import { realManifests } from "./manifest_cases.ts";
import { mutated } from "./mutate_manifest.ts";

const SEED = 20260721;
const manifests = realManifests().map((text) => JSON.parse(text));
const mutant = fc.tuple(
  fc.constantFrom(...manifests),
  fc.array(fc.record({ place: fc.nat(), action: fc.nat(3), material: fc.nat(100) }), { minLength: 1, maxLength: 3 }),
).map(([manifest, mutations]) => mutated(manifest, mutations));

/** The value that a pointer names. */
function valueAt(root: unknown, pointer: string): unknown {
  return pointer.split("/").slice(1).reduce<unknown>((value, token) => {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    return (value as Record<string, unknown>)[key];
  }, root);
}

/** Checks that lines, columns and offsets name what the pointer names. */
function assertPlaced(text: string, root: unknown, finding: SourceFinding): void {
  const { pointer, rule, start, end, line, column, endLine, endColumn } = finding;
  const expected = rule === "additional_property" ? finding.property : valueAt(root, pointer);
  assert.deepEqual(JSON.parse(text.slice(start, end)), expected);
  const before = text.slice(0, start).split("\n");
  assert.deepEqual([line, column], [before.length, before.at(-1)!.length + 1]);
  const behind = text.slice(0, end).split("\n");
  assert.deepEqual([endLine, endColumn], [behind.length, behind.at(-1)!.length + 1]);
}

test("validateManifest() has the verdict of ajv with manifestSchema() on mutated manifests", () => {
  const accepts = compileSchema(manifestSchema());
  let conforming = 0;
  fc.assert(
    fc.property(mutant, (value) => {
      const { valid, findings } = validateManifest(value);
      assert.equal(valid, accepts(value));
      assert.equal(valid, findings.length === 0);
      if (valid) conforming++;
    }),
    { seed: SEED, numRuns: 2000 },
  );
  assert.ok(conforming > 100 && conforming < 1900, `${conforming} of 2000 conform`);
});

test("validateManifestText() finds what validateManifest() finds, and where, in any layout", () => {
  fc.assert(
    fc.property(mutant, fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const parsed = JSON.parse(text);
      const { valid, findings } = validateManifestText(text);
      const expected = validateManifest(parsed);
      assert.equal(valid, expected.valid);
      const short = (list: typeof expected.findings) =>
        list.map(({ pointer, message }) => `${pointer} ${message}`).sort();
      assert.deepEqual(short(findings), short(expected.findings));
      for (const finding of findings) assertPlaced(text, parsed, finding);
      assert.deepEqual(findings.map(({ start }) => start), findings.map(({ start }) => start).sort((a, b) => a - b));
    }),
    { seed: SEED, numRuns: 400 },
  );
});

test("validateManifestText() takes for JSON what JSON.parse() takes", () => {
  const piece = fc.constantFrom(
    ...[
      '{"a":1}',
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      '"',
      '"a"',
      '"a":',
      "\\",
      "\\u12",
      "\\u1234",
      "0",
      "01",
      "-",
      "1.",
      ".5",
      "1e5",
    ],
    ...[
      "1e+",
      "true",
      "nul",
      "null",
      " ",
      "\n",
      "\r\n",
      "\t",
      "\u0000",
      "\ufeff",
      "NaN",
      "//",
      "'",
      "\ud83d",
      "[[]]",
      "{}",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")), (text) => {
      let isJson = true;
      try {
        JSON.parse(text.replace(/^\ufeff/, "")); // a byte order mark at the start is skipped
      } catch {
        isJson = false;
      }
      const { findings } = validateManifestText(text);
      assert.equal(findings.every(({ rule }) => rule !== "not_json"), isJson);
      for (const { start, end, line, column } of findings) {
        assert.ok(start >= 0 && start <= end && end <= text.length && line >= 1 && column >= 1);
      }
    }),
    { seed: SEED, numRuns: 4000 },
  );
});

test("validators and linter throw for no value and no bytes", () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }), (value) => {
      validateManifest(value);
      lintManifest(value);
    }),
    { seed: SEED, numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      validateManifestText(bytes);
      lintManifestText(bytes);
    }),
    { seed: SEED, numRuns: 500 },
  );
});

test("lintManifestText() finds what lintManifest() finds in mutated manifests", () => {
  fc.assert(
    fc.property(mutant, (value) => {
      const text = JSON.stringify(value, null, 1);
      const short = (list: readonly { rule: string; pointer: string }[]) =>
        list.map(({ rule, pointer }) => `${rule} ${pointer}`).sort();
      const { findings } = lintManifestText(text);
      assert.deepEqual(short(findings), short(lintManifest(JSON.parse(text)).findings));
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test("canonicalJson() does not change with the order of members, and reads back as the value", () => {
  const shuffled = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(shuffled);
    return Object.fromEntries(Object.entries(value).reverse().map(([name, part]) => [name, shuffled(part)]));
  };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const parsed = JSON.parse(JSON.stringify(value));
      assert.equal(canonicalJson(parsed), canonicalJson(shuffled(parsed)));
      assert.deepEqual(JSON.parse(canonicalJson(parsed)), parsed);
    }),
    { seed: SEED, numRuns: 300 },
  );
});
