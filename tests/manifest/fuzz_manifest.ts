/**
 * `deno task fuzz:manifest [SECONDS] [SEED]`: breaks real manifests at random, as values and as bytes, until the time is
 * up (60 s), and checks that
 *
 * - the validator, the linter and the tools throw nothing but what they document,
 * - verdicts are those of ajv with the exported schema, and JSON is what `JSON.parse` takes, after a byte order mark
 *   too,
 * - every finding's offsets name what its pointer names.
 *
 * The first failure ends it with status 1, the seed and the input; the same seed fails again.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import assert from "node:assert/strict";
import process from "node:process";
import {
  argumentsSchema,
  canonicalJson,
  diffManifests,
  lintManifestText,
  type Manifest,
  manifestSchema,
  nodeTypes,
  parseManifest,
  validateArguments,
  validateManifest,
  validateManifestText,
} from "../../lib/manifest/mod.ts";
import { mergeCatalog } from "../../lib/manifest/merge_catalog.ts";
import { compileSchema } from "./compile_schema.ts";
import { manifestCases } from "./manifest_cases.ts";
import { mutated } from "./mutate_manifest.ts";

const [seconds = "60", seedText = String(Date.now() % 2 ** 31)] = process.argv.slice(2);
const end = performance.now() + Number(seconds) * 1000;
if (!(Number(seconds) > 0 && Number.isInteger(Number(seedText)))) {
  console.error(`Cannot fuzz for ${seconds} seconds with seed ${seedText}: expected a number above 0 and an integer`);
  process.exit(2);
}

/** Whole numbers below a limit, by the 32-bit generator mulberry32. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}

const texts = manifestCases().map(({ text }) => text).filter((text) => text.length > 100);
const values: unknown[] = texts.flatMap((text) => {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
});
const accepts = compileSchema(manifestSchema());
const fragments = [
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "0",
  "-",
  "e",
  "1e999",
  "NaN",
  "\\ud800",
  "\r",
  "\n",
  "\ufeff",
];
const count = { values: 0, texts: 0, conforming: 0, json: 0 };

async function checkValue(value: unknown): Promise<void> {
  count.values++;
  const { valid, findings } = validateManifest(value);
  assert.equal(valid, accepts(value), "the verdict is not that of ajv");
  assert.equal(valid, findings.length === 0);
  if (!valid) return;
  count.conforming++;
  const manifest = value as Manifest;
  nodeTypes(manifest);
  assert.equal(diffManifests(manifest, manifest).bump, "none");
  for (const node of manifest.nodes) {
    argumentsSchema(node);
    validateArguments(node, value);
  }
  const isWellFormed = !lintManifestText(JSON.stringify(value)).findings.some(({ rule }) => rule === "lone_surrogate");
  if (!isWellFormed) return;
  assert.deepEqual(JSON.parse(canonicalJson(manifest)), JSON.parse(JSON.stringify(manifest)));
  await mergeCatalog([manifest]);
}

function checkText(source: string | Uint8Array): void {
  count.texts++;
  const { valid, findings } = validateManifestText(source);
  lintManifestText(source);
  assert.equal(valid, findings.length === 0);
  let text: string;
  let value: unknown;
  try {
    text = typeof source === "string" ? source : new TextDecoder("utf-8", { fatal: true }).decode(source);
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    assert.deepEqual(findings.map(({ rule }) => rule), ["not_json"], "what is not JSON was taken for it");
    return;
  }
  count.json++;
  assert.equal(valid, accepts(value), "the verdict is not that of ajv");
  if (valid) parseManifest(source);
  for (const { pointer, rule, property, start, end } of findings) {
    const named = rule === "additional_property" ? property : pointer.split("/").slice(1).reduce<unknown>(
      (at, token) => (at as Record<string, unknown>)[token.replaceAll("~1", "/").replaceAll("~0", "~")],
      value,
    );
    assert.deepEqual(JSON.parse(text.slice(start, end)), named, `${rule} at ${pointer} is misplaced`);
  }
}

function brokenText(text: string, random: (limit: number) => number): string {
  let broken = text;
  for (let changes = 1 + random(3); changes > 0; changes--) {
    const [at, length] = [random(broken.length + 1), random(4) === 0 ? random(40) : random(2)];
    const fragment = random(3) === 0 ? "" : fragments[random(fragments.length)];
    broken = broken.slice(0, at) + fragment + broken.slice(at + length);
  }
  return broken;
}

let seed = Number(seedText);
for (; performance.now() < end; seed++) {
  const random = randomNumbers(seed);
  let input: unknown;
  try {
    const mutations = Array.from({ length: 1 + random(4) }, () => ({
      place: random(1e6),
      action: random(4),
      material: random(1000),
    }));
    input = mutated(values[random(values.length)], mutations);
    await checkValue(input);
    input = brokenText(JSON.stringify(input, null, random(3)), random);
    checkText(input as string);
    const bytes = new TextEncoder().encode(texts[random(texts.length)]);
    for (let changes = 1 + random(3); changes > 0; changes--) bytes[random(bytes.length)] = random(256);
    input = bytes;
    checkText(bytes);
  } catch (error) {
    console.error(`seed ${seed}:`, error instanceof Error ? error.stack : error);
    console.error("input:", typeof input === "string" ? JSON.stringify(input) : input);
    process.exit(1);
  }
}
console.log(
  `${count.values} values, of which ${count.conforming} conform, and ${count.texts} texts, of which ${count.json} are JSON: ` +
    `nothing found, next seed ${seed}`,
);
