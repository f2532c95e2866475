import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson, manifestSchema, nodeTypes, pinManifest } from "../../lib/manifest/mod.ts";
import { smallManifest, smallNode } from "../manifest/small_manifest.ts";
import { manifestMachine } from "./manifest_machine.ts";

const manifest = smallManifest();
const text = JSON.stringify(manifest, null, 2);

test("svc manifest schema prints the JSON Schema", async () => {
  const { out, run } = manifestMachine({});
  assert.equal(await run("schema"), 0);
  assert.deepEqual(JSON.parse(out[0]), manifestSchema());
});

test("svc manifest types, canonical and pin print what the functions of that name return", async () => {
  const { out, run } = manifestMachine({ "a.json": text }, {}, text);
  assert.equal(await run("types", "a.json"), 0);
  assert.equal(await run("canonical", "-"), 0);
  assert.equal(await run("pin", "a.json", "-"), 0);
  const pin = await pinManifest(manifest);
  assert.deepEqual(out, [nodeTypes(manifest), canonicalJson(manifest), `${pin}  a.json\n`, `${pin}  -\n`]);
});

test("svc manifest diff reports what has changed and fails when the version is too low", async () => {
  const changed = JSON.stringify(smallManifest(smallNode({ inputs: [] })));
  const { out, run } = manifestMachine({ "old.json": text, "new.json": changed });
  assert.equal(await run("diff", "old.json", "new.json"), 1);
  assert.deepEqual(out.splice(0), [
    'major demo.run: input "text" was removed',
    "The version went from 1.2.3 to 1.2.3, expected at least 2.0.0",
  ]);
  assert.equal(await run("diff", "old.json", "new.json", "--format", "json"), 1);
  assert.deepEqual(JSON.parse(out.splice(0)[0]), {
    changes: [{ kind: "demo.run", bump: "major", message: 'input "text" was removed' }],
    breaking: true,
    bump: "major",
    old_version: "1.2.3",
    new_version: "1.2.3",
    expected_version: "2.0.0",
    enough: false,
  });
  assert.equal(await run("diff", "old.json", "old.json"), 0);
  assert.deepEqual(out, ["Nothing changed; the version went from 1.2.3 to 1.2.3"]);
});

test("svc manifest catalog merges providers and fails on collisions", async () => {
  const other = JSON.stringify({ ...manifest, provider_id: "svc-other" });
  const { out, err, run } = manifestMachine({ "a.json": text, "b.json": other });
  assert.equal(await run("catalog", "a.json"), 0);
  assert.equal(await run("catalog", "a.json", "b.json"), 1);
  assert.deepEqual(JSON.parse(out[1]).collisions[0].name, "demo.run");
  assert.deepEqual(err, [
    "The kind demo.run is claimed by svc-demo 1.2.3, svc-other 1.2.3: the catalog has the first one",
  ]);
});

test("svc manifest commands show the findings of a manifest that does not conform", async () => {
  for (const args of [["types", "a.json"], ["pin", "a.json"], ["catalog", "a.json"], ["diff", "a.json", "a.json"]]) {
    const { out, err, run } = manifestMachine({ "a.json": text.replace('"Run"', '""') });
    assert.equal(await run(...args), 1);
    assert.deepEqual(out, []);
    assert.match(err[0], /^a\.json:\d+:\d+ error min_length at \/nodes\/0\/title$/);
    assert.match(err.at(-1)!, /it does not conform, expected a manifest that svc manifest validate accepts$/);
  }
});

test("svc manifest commands end with status 2 when they are used wrongly", async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [["types"], /^Cannot run svc manifest types: 0 files given, expected one file$/],
    [["schema", "x"], /^Cannot run svc manifest schema: 1 files given, expected no file$/],
    [["diff", "a.json"], /^Cannot run svc manifest diff: 1 files given, expected OLD and NEW$/],
    [["pin", "none.json"], /^Cannot read none\.json: the file does not exist/],
  ];
  for (const [args, reason] of cases) {
    const { err, run } = manifestMachine({ "a.json": text });
    assert.equal(await run(...args), 2);
    assert.match(err[0], reason);
  }
});

test("svc manifest commands print their usage", async () => {
  for (const command of ["validate", "diff", "types", "schema", "pin", "canonical", "catalog"]) {
    const { out, run } = manifestMachine({});
    assert.equal(await run(command, "--help"), 0);
    assert.match(out[0], new RegExp(`Usage: svc manifest ${command}`));
  }
});
