import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { COMPILED_IN, compiledInto } from "../../scripts/notices/compiled_in.mjs";
import { identifiersOf, REVIEWED } from "../../scripts/notices/reviewed_licences.mjs";
import {
  bundledInSdk,
  bundledInSite,
  hasCompiledCode,
  licenceFiles,
  optionalPeers,
  packagesIn,
  packagesOfFleet,
  packagesOfSdk,
} from "../../scripts/notices/third_party.mjs";
import { NOTICES, notices, noticesOfPackage, noticesOfSdk } from "../../scripts/notices/write_notices.mjs";
import { ROOT } from "../support/server_process.ts";

interface LockEntry {
  readonly version: string;
  readonly dev?: true;
  readonly devOptional?: true;
  readonly peer?: true;
}

const read = (path: string) => readFileSync(join(ROOT, path), "utf8").replaceAll("\r\n", "\n");
const lock: Record<string, LockEntry> = JSON.parse(read("package-lock.json")).packages;

test("the notices of the SDK are those of what is installed and bundled today", async () => {
  assert.ok(read(NOTICES) === await noticesOfSdk(), "run: node scripts/notices/write_notices.mjs");
});

test("every package that the lock file has for production, on whatever platform, is in the notices", () => {
  const written = new Set(read(NOTICES).match(/^- \S+ \d\S*(?=:)/gm));
  const production = Object.entries(lock)
    .filter(([path, { dev, devOptional, peer }]) => path !== "" && !dev && !devOptional && !peer)
    // An optional peer of valibot that no user of the SDK gets: here it is a tool of development.
    .filter(([path]) => !/^node_modules\/@?typescript(\/|$)/.test(path));
  assert.ok(production.length > 70);
  assert.ok(production.some(([path]) => path.includes("sharp-win32")), "no package of another platform");
  for (const [path, { version }] of production) {
    const name = path.replace(/^.*node_modules\//, "");
    assert.ok(written.has(`- ${name} ${version}`), `${name} ${version} has no entry`);
  }
});

test("every published package has notices, with all that it makes npm install", () => {
  for (const folder of readdirSync(join(ROOT, "packages"))) {
    const { name, svc, dependencies = {} } = JSON.parse(read(`packages/${folder}/package.json`));
    const text = noticesOfPackage(name, svc);
    assert.match(text, new RegExp(`^# Third-party notices of ${name}\n`));
    for (const other of Object.keys(dependencies)) assert.match(text, new RegExp(`^- ${other} \\d`, "m"));
    if (Object.keys(dependencies).length === 0) assert.match(text, /nothing that others wrote/);
    assert.equal(/weights/.test(text), svc.model !== undefined);
  }
  assert.match(noticesOfPackage("@svc/fleet", { fleet: true }), /^- tweetnacl \d/m);
  const [npm, deno] = ["package.json", "deno.json"].map((path) => JSON.parse(read(path)));
  assert.ok(npm.files.includes(NOTICES));
  assert.ok(deno.publish.include.includes(NOTICES));
});

test("modules of others that a page or the site bundles are found, and their licences pass on with it", async () => {
  const [sdk, site] = [await bundledInSdk(), await bundledInSite()];
  assert.deepEqual(sdk.map(({ name }) => name), ["three"]);
  const names = site.map(({ name }) => name);
  for (const name of ["h264-mp4-encoder", "mediabunny"]) assert.ok(names.includes(name), name);
  for (const one of sdk) {
    assert.ok(licenceFiles(one).length > 0);
    for (const text of licenceFiles(one)) assert.ok(read(NOTICES).includes(text), one.name);
  }
  const inputs = { "lib/a.ts": {}, "../x/node_modules/zod/index.js": {}, "node_modules/@types/node/index.d.ts": {} };
  assert.deepEqual(packagesIn([{ inputs }]).map(({ name }) => name), ["@types/node", "zod"]);
});

test("every package with machine code or WebAssembly says what is compiled in", async () => {
  const all = [...packagesOfSdk(), ...packagesOfFleet(), ...await bundledInSite(), ...optionalPeers()];
  const here = all.flatMap(({ name, folder }) => folder === undefined ? [] : [{ name, folder }]);
  const compiled = here.filter(({ folder }) => hasCompiledCode(folder)).map(({ name }) => name);
  for (const name of ["h264-mp4-encoder", "onnxruntime-node", "mpg123-decoder"]) {
    assert.ok(compiled.includes(name), name);
  }
  assert.ok(!compiled.includes("valibot"));
  const silent = compiled.filter((name) => compiledInto(name) === undefined);
  assert.deepEqual(silent, [], "add a row to scripts/notices/compiled_in.mjs");
  for (const key of Object.keys(COMPILED_IN).filter((key) => !key.includes("*") && key !== "onnxruntime-web")) {
    assert.ok(all.some(({ name }) => name === key), `${key} is not shipped any more: remove its row`);
  }
});

test("a licence that nobody has read is refused, and so is one that may not be published", () => {
  const of = (licence: string, apart = false) => {
    const packages = [{ name: "example", version: "1.0.0", licence, folder: undefined }];
    return notices("a package", [{ title: "In it", about: "Bundled.", packages, apart }]);
  };
  assert.match(of("MIT OR (Apache-2.0 AND ISC)"), /^- example 1\.0\.0: MIT OR/m);
  assert.throws(() => of("AGPL-3.0-only"), /nobody has reviewed the licence "AGPL-3\.0-only"/);
  assert.throws(() => of("MIT AND SSPL-1.0"), /SSPL-1\.0/);
  assert.throws(() => of(""), /nobody has reviewed the licence ""/);
  assert.throws(() => of("GPL-2.0-or-later"), /may not be published/);
  const webcodecs = optionalPeers().filter(({ name }) => name === "@napi-rs/webcodecs");
  assert.throws(() => notices("it", [{ title: "In it", about: "", packages: webcodecs }]), /may not be published/);
});

test("every licence that asks for more than a notice has a sentence on how it is met", () => {
  for (const [id, { terms }] of Object.entries(REVIEWED)) {
    if (!/GPL|MPL|EPL|LicenseRef/.test(id)) continue;
    assert.match(terms ?? "", /\S.*\.$/, id);
    assert.ok(read(NOTICES).includes(`- **${id}**: ${terms}`), `${id} is in use nowhere: remove it`);
  }
  assert.deepEqual(identifiersOf("(MIT OR CC0-1.0)"), ["MIT", "CC0-1.0"]);
});

test("binary, image and site are made with their notices", () => {
  assert.match(read("scripts/release/compile.mjs"), /writeFileSync\(.*NOTICES.*await noticesOfBinary\(\)\)/);
  assert.match(read("packaging/Containerfile"), /write_notices\.mjs image (\/\S+)[\s\S]*COPY --from=build \1 /);
  assert.match(read("scripts/site/build_site.mjs"), /"third-party-notices\.txt".*await noticesOfSite\(\)/);
});
