import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
const npm = read("package.json");
const deno = read("deno.json");

test("package.json and deno.json agree on name, version and entry points", () => {
  assert.equal(npm.name, deno.name);
  assert.equal(npm.version, deno.version);
  assert.deepEqual(Object.keys(npm.exports), Object.keys(deno.exports));
  for (const [path, source] of Object.entries<string>(deno.exports)) {
    const built = source.replace("./", "./dist/").replace(/\.ts$/, "");
    assert.deepEqual(npm.exports[path], { types: `${built}.d.ts`, default: `${built}.js` });
  }
});

test("package.json and deno.json agree on dependencies", () => {
  const known = { ...npm.dependencies, ...npm.peerDependencies };
  for (const [name, specifier] of Object.entries<string>(deno.imports)) {
    assert.equal(specifier, `npm:${name}@${known[name]}`);
  }
});

test("the lock file names no download address", () => {
  for (const [path, entry] of Object.entries<{ resolved?: string }>(read("package-lock.json").packages)) {
    assert.equal(entry.resolved, undefined, path);
  }
});

test("the lock file has the integrity of every package, except optional ones of single platforms", () => {
  type Entry = { integrity?: string; optional?: boolean; os?: string[] };
  for (const [path, { integrity, optional, os }] of Object.entries<Entry>(read("package-lock.json").packages)) {
    if (path === "" || (integrity === undefined && optional && os)) continue;
    assert.match(integrity ?? "none", /^sha512-[A-Za-z0-9+/]{86}==$/, path);
  }
});

test("the lock file has the packages of every platform, so that npm ci works on each", () => {
  const { packages } = read("package-lock.json");
  for (const [path, entry] of Object.entries<{ optionalDependencies?: Record<string, string> }>(packages)) {
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      const nested = `${path}/node_modules/${name}`;
      assert.ok(packages[`node_modules/${name}`]?.version ?? packages[nested]?.version, `${name} of ${path}`);
    }
  }
});
