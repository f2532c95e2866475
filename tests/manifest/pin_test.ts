import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { canonicalJson, type Manifest, pinManifest } from "../../lib/manifest/mod.ts";
import { mergeCatalog } from "../../lib/manifest/merge_catalog.ts";
import { smallManifest, smallNode } from "./small_manifest.ts";

test("canonicalJson() writes the examples of RFC 8785", () => {
  // Section 3.2.3, sorting; section 3.2.2, literals, numbers and strings.
  const sorted =
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",' +
    '"\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}';
  assert.deepEqual(Object.values(JSON.parse(canonicalJson(JSON.parse(sorted)))).length, 7);
  assert.equal(
    canonicalJson(JSON.parse(sorted)),
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign",' +
      '"😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
  const literals = '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
    '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}';
  assert.equal(
    canonicalJson(JSON.parse(literals)),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test("canonicalJson() writes empty containers, -0 and members named __proto__", () => {
  assert.equal(canonicalJson([[], {}, -0, JSON.parse('{"b":1,"__proto__":{}}')]), '[[],{},0,{"__proto__":{},"b":1}]');
});

test("canonicalJson() refuses what it cannot hold", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  for (const wrong of [NaN, Infinity, "\ud800", { "\udc00": 1 }, undefined, 1n, circle]) {
    assert.throws(
      () => canonicalJson([wrong]),
      /^TypeError: Cannot write the canonical form: found .+, expected finite/,
    );
  }
});

test("pinManifest() is the SHA-256 of the canonical form", async () => {
  const manifest = smallManifest();
  const expected = createHash("sha256").update(canonicalJson(manifest)).digest("hex");
  assert.equal(await pinManifest(manifest), expected);
  const reordered = Object.fromEntries(Object.entries(manifest).reverse()) as unknown as Manifest;
  assert.equal(await pinManifest(reordered), expected);
  assert.notEqual(await pinManifest(smallManifest(smallNode({ title: "Other" }))), expected);
});

test("mergeCatalog() takes the first one of each kind and provider, and reports the others", async () => {
  const first = smallManifest(smallNode(), smallNode({ kind: "demo.stop" }));
  const second: Manifest = {
    ...smallManifest(smallNode({ title: "Mine" }), smallNode({ kind: "own.run" })),
    provider_id: "svc-own",
  };
  const newer: Manifest = { ...smallManifest(smallNode({ kind: "demo.new" })), provider_version: "2.0.0" };
  const { providers, nodes, collisions } = await mergeCatalog([first, second, newer, first]);
  assert.deepEqual(providers.map(({ id, version }) => `${id} ${version}`), ["svc-demo 1.2.3", "svc-own 1.2.3"]);
  assert.deepEqual(nodes.map(({ provider, node }) => [provider.id, node.kind, node.title]), [
    ["svc-demo", "demo.run", "Run"],
    ["svc-demo", "demo.stop", "Run"],
    ["svc-own", "own.run", "Run"],
  ]);
  assert.deepEqual(
    collisions.map(({ type, name, providers }) => [type, name, providers.map(({ version }) => version)]),
    [
      ["provider", "svc-demo", ["1.2.3", "2.0.0"]],
      ["kind", "demo.run", ["1.2.3", "1.2.3"]],
    ],
  );
  assert.equal(providers[0].pin, await pinManifest(first));
});
