import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { INTERNAL, internalExports } from "../../scripts/packages/internal_modules.mjs";

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
const npm = read("package.json");
const deno = read("deno.json");
const fleet = read("packages/fleet/package.json");

test("package.json and deno.json agree on name, version and entry points", () => {
  assert.equal(npm.name, deno.name);
  assert.equal(npm.version, deno.version);
  const isPublic = (path: string) => !path.startsWith(INTERNAL);
  const imported = Object.entries<string>(deno.exports).filter(([path]) => !isProgram(path) && isPublic(path));
  assert.deepEqual(Object.keys(npm.exports).filter(isPublic), imported.map(([path]) => path));
  for (const [path, source] of imported) {
    const built = source.replace("./", "./dist/").replace(/\.ts$/, "");
    assert.deepEqual(npm.exports[path], { types: `${built}.d.ts`, default: `${built}.js` });
  }
});

/** What is run and not imported. */
const isProgram = (path: string) => path === "./cli" || path.startsWith("./workers/");

test("both manifests let the fleet import the modules of the SDK that it needs, and no others", () => {
  const internal = Object.entries<string>(deno.exports).filter(([path]) => path.startsWith(INTERNAL));
  assert.deepEqual(Object.fromEntries(internal), internalExports(), "run deno task generate");
  assert.deepEqual(npm.exports[`${INTERNAL}*`], { types: "./dist/*.d.ts", default: "./dist/*.js" });
  assert.ok(npm.files.includes("!dist/fleet"));
  assert.ok(!deno.publish.include.includes("fleet"));
  assert.deepEqual(fleet.peerDependencies, { [npm.name]: npm.version });
  for (const [name, version] of Object.entries(fleet.dependencies)) {
    assert.equal(version, npm.dependencies[name] ?? npm.devDependencies[name], name);
  }
});

test("deno.json exports every worker: JSR hands Node only modules that its entry points reach", () => {
  const folder = new URL("../../", import.meta.url);
  const started = readdirSync(new URL("lib/", folder), { recursive: true, encoding: "utf8" })
    .map((path) => `lib/${path.replaceAll("\\", "/")}`)
    .filter((path) => /(_worker|_process)\.ts$/.test(path) && !path.startsWith("lib/platform/"))
    .filter((path) => !/^export (?!type)/m.test(readFileSync(new URL(path, folder), "utf8")))
    .map((path) => `./${path}`);
  const listed = Object.entries<string>(deno.exports).filter(([path]) => path.startsWith("./workers/"));
  assert.deepEqual(listed.map(([, source]) => source).sort(), started.sort());
});

test("package.json and deno.json agree on dependencies", () => {
  const known = { ...npm.dependencies, ...npm.peerDependencies, ...fleet.dependencies };
  for (const [name, specifier] of Object.entries<string>(deno.imports)) {
    assert.equal(specifier, `npm:${name}@${known[name]}`);
  }
});

test("the lock file names no download address", () => {
  for (const [path, entry] of Object.entries<{ resolved?: string }>(read("package-lock.json").packages)) {
    assert.equal(entry.resolved, undefined, path);
  }
});

/** Packages of other platforms that the registry of our build machines does not have in the version that is needed. */
const UNKNOWN_TO_REGISTRY = [
  ...[
    "darwin-arm64",
    "darwin-x64",
    "linux-arm-gnueabihf",
    "linux-arm64-gnu",
    "linux-arm64-musl",
    "win32-arm64-msvc",
    "win32-x64-msvc",
  ].map((platform) => `node_modules/@napi-rs/webcodecs-${platform}`),
  ...[
    "linux-riscv64",
    "mac-arm64-metal",
    "mac-x64",
    "win-arm64",
    "win-x64",
    "win-x64-cuda",
    "win-x64-cuda-ext",
    "win-x64-vulkan",
  ].map((platform) => `node_modules/@node-llama-cpp/${platform}`),
];

test("the lock file has the integrity of every package that the registry has", () => {
  const { packages } = read("package-lock.json");
  const paths = Object.keys(packages).filter((path) => path !== "");
  assert.deepEqual(paths.filter((path) => packages[path].integrity === undefined), UNKNOWN_TO_REGISTRY);
  for (const path of paths) {
    const { integrity } = packages[path];
    if (integrity !== undefined) assert.match(integrity, /^sha512-[A-Za-z0-9+/]{86}==$/, path);
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
