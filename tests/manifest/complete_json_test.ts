import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { completeJson, completeWord, describeJson, type Suggestion } from "../../lib/manifest/complete_json.ts";
import { manifestSchema, validateManifestText } from "../../lib/manifest/mod.ts";

const schema = manifestSchema();

/** The suggestions where the text has a bar. */
function at(marked: string): readonly Suggestion[] {
  const offset = marked.indexOf("|");
  return completeWord(marked.replace("|", ""), offset, schema).items;
}

/** The text after the named suggestion was taken, with a bar at the caret. */
function take(marked: string, label: string): string {
  const offset = marked.indexOf("|");
  const text = marked.replace("|", "");
  const { from, to, items } = completeWord(text, offset, schema);
  const { insert, value, inside } = items.find((item) => item.label === label)!;
  const caret = value.length - inside;
  return `${text.slice(0, from)}${insert}${value.slice(0, caret)}|${value.slice(caret)}${text.slice(to)}`;
}

test("names are suggested where a member may begin, required ones first, none twice", () => {
  const labels = (marked: string): string[] => at(marked).map(({ label }) => label);
  assert.deepEqual(labels("{|}"), ["contract_version", "provider_id", "provider_version", "nodes"]);
  assert.deepEqual(labels('{"provider_id": "svc-a", "pro|'), ["provider_version"]);
  assert.deepEqual(labels('{"|", "nodes": [{"provider_id": 1}], "provider_id": 1}'), [
    "contract_version",
    "provider_version",
  ]);
  assert.deepEqual(labels('{"nodes": [{"inputs": [{"na|"}]}]}'), ["name"]);
  assert.equal(labels('{"nodes": [{}, {"presentation": {|}}]}').join(), "style,primary_argument");
  assert.match(at('{"nodes": [{"traits": {"det|').map(({ detail }) => detail).join(), /^required; /);
});

test("values are suggested where the schema names them", () => {
  const labels = (marked: string): string => at(marked).map(({ label }) => label).join();
  assert.equal(labels('{"contract_version": |'), "svc/plugin-graph-provider.v1");
  assert.equal(labels('{"nodes": [{"inputs": [{"type": "as|"}]}]}'), "asset,asset_directory,asset_collection");
  assert.equal(labels('{"nodes": [{"requirements": {"accelerator_backends": ["cuda", "|"]}}]}'), "metal,cuda,rocm,cpu");
  assert.equal(labels('{"nodes": [{"traits": {"cacheable": |'), "true,false");
  assert.equal(labels('{"nodes": [{"traits": {"cacheable": tr|'), "true");
  const deep = '{"nodes":[{"inputs":[{"value_schema":{"properties":{"a":{"items":{"type":"obj|';
  assert.equal(labels(deep), "object");
});

test("nothing is suggested where nothing of the schema is valid", () => {
  const silent = ['{"provider_id" |', '{"provider_id": "svc|"}', "[|]", '{"x": {|}}', '{"nodes": []} |', '{"a": "b"|}'];
  for (const marked of silent) assert.deepEqual(at(marked), [], marked);
  const done = '{"nodes": [{"inputs": [{"type": "json|"}]}]}';
  assert.deepEqual(at(done), []);
});

test("a suggestion takes the place of the word and leaves the caret where one writes on", () => {
  assert.equal(take('{"prov|', "provider_id"), '{"provider_id": "|"');
  assert.equal(take("{|}", "nodes"), '{"nodes": [|]}');
  assert.equal(take('{"prov|": 1}', "provider_id"), '{"provider_id"|: 1}');
  assert.equal(take('{"prov|: "svc-a"}', "provider_id"), '{"provider_id"|: "svc-a"}');
  assert.equal(take('{"contract_version": "|"}', "svc/plugin-graph-provider.v1").endsWith('v1"|}'), true);
  const added = take('{"nodes": [{"traits": {"det|"', "deterministic");
  assert.equal(added, '{"nodes": [{"traits": {"deterministic": false|');
});

test("what is written already leaves all suggestions where an editor filters them, and places have descriptions", () => {
  const text = '{"nodes": [{"inputs": [{"type": "as';
  const { role, path, items } = completeJson(text, text.length, schema);
  assert.deepEqual([role, path, items.length > 3], ["value", ["nodes", 0, "inputs", 0, "type"], true]);
  const described = describeJson(schema, ["nodes", 0, "requirements", "accelerator_backends", 0]);
  assert.equal(described, 'Type: string\n\nOne of "metal", "cuda", "rocm", "cpu"');
  assert.equal(describeJson(schema, ["nodes", 0, "unknown"]), undefined);
});

test("no text makes it fail or hang", () => {
  const texts = ["", "{", '"', '{"a', '{"\\', "[[[[", "}}}}", '{"a":{"b":', "\u0000", '{"nodes":[{"inputs":[{"type":"'];
  for (const text of [...texts, "[".repeat(20_000), '{"a":'.repeat(5000), '"'.repeat(9999)]) {
    for (const offset of [0, text.length >> 1, text.length]) completeJson(text, offset, schema);
  }
});

test("the example of the editor has one finding of each kind that it is to show", () => {
  const text = readFileSync(new URL("../../site/manifest/example.json", import.meta.url), "utf8");
  const { findings } = validateManifestText(text);
  assert.deepEqual(findings.map(({ line, column }) => [line, column]), [[13, 19], [23, 11], [31, 41], [33, 17]]);
  assert.ok(findings.some(({ meant }) => meant === "default"));
});
