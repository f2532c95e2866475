import assert from "node:assert/strict";
import { test } from "node:test";
import { manifestSchema, validateManifest, validateManifestText } from "../../lib/manifest/mod.ts";
import { compileSchema } from "./compile_schema.ts";
import { disagreements, manifestCases } from "./manifest_cases.ts";

test("validateManifestText() agrees with every judged case in verdict, pointers and rules", () => {
  const cases = manifestCases();
  assert.equal(cases.length, 113);
  for (const judged of cases) {
    assert.deepEqual(disagreements(judged, validateManifestText(judged.text)), [], judged.name);
    const bytes = new TextEncoder().encode(judged.text);
    assert.deepEqual(disagreements(judged, validateManifestText(bytes)), [], judged.name);
  }
});

test("validateManifest() agrees with every judged case that is JSON", () => {
  for (const judged of manifestCases()) {
    if (judged.errors.some(({ rule }) => rule === "not_json")) continue;
    assert.deepEqual(disagreements(judged, validateManifest(JSON.parse(judged.text))), [], judged.name);
  }
});

test("manifestSchema() gives the validator's verdict in ajv on every judged case that is JSON", () => {
  const accepts = compileSchema(manifestSchema());
  for (const { name, text, errors } of manifestCases()) {
    if (errors.some(({ rule }) => rule === "not_json")) continue;
    const value = JSON.parse(text);
    assert.equal(accepts(value), validateManifest(value).valid, name);
  }
});
