/**
 * Lays out the packages of `packages/` as they are published: models with their files, `@svc/client` and
 * `@svc/manifest` with the sources that they are made of, `@svc/fleet` with its own and imports of the SDK's. On npm the
 * SDK has ONNX Runtime for one platform, in a package of its own, in place of `onnxruntime-node`, which has all of them; on
 * JSR it is published from the root.
 *
 *   node scripts/packages/stage_packages.mjs [FOLDER]    by default dist/packages
 */
// deno-lint-ignore-file no-console
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { modelFiles } from "../generate_models.mjs";
import { root } from "../install.mjs";
import { NOTICES, noticesOfPackage } from "../notices/write_notices.mjs";
import { fleetSources, importSdk } from "./internal_modules.mjs";
import { put, write, writeJson } from "./put_files.mjs";
import { sourceClosure } from "./source_closure.mjs";
import { runtimeDependencies, stageRuntimes } from "./stage_runtimes.mjs";

const home = fileURLToPath(root);

/** Options that publishing reads: nothing else of the repository's own configuration is a package's matter. */
const COMPILER = ["compilerOptions"];

/**
 * Lays out all packages as `FOLDER/npm/NAME` and `FOLDER/jsr/NAME`; `dist` must have been built. The SDK and the
 * packages of ONNX Runtime are there for npm only.
 *
 * @param {string} folder
 * @returns {string[]} the names of the folders that are there for both
 */
export function stagePackages(folder) {
  rmSync(folder, { recursive: true, force: true });
  const names = readdirSync(join(home, "packages")).sort();
  for (const name of names) {
    const source = join(home, "packages", name);
    const { svc, ...manifest } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    const [npm, jsr] = [join(folder, "npm", name), join(folder, "jsr", name)];
    const notices = noticesOfPackage(manifest.name, svc);
    for (const target of [npm, jsr]) {
      put(join(home, "LICENSE"), join(target, "LICENSE"));
      write(join(target, NOTICES), notices);
    }
    if (svc.fleet) stageFleet(manifest, source, npm, jsr);
    else if (svc.model === undefined) stageSources(manifest, svc.entry, source, npm, jsr);
    else stageModel(manifest, svc.model, source, npm, jsr);
    writeJson(join(npm, "package.json"), { ...manifest, ...placeOf(`packages/${name}`) });
  }
  stageRuntimes(join(folder, "npm"), { ...shared(), ...placeOf("") });
  stageSdk(join(folder, "npm/sdk"));
  return names;
}

/** What the SDK's manifest says of all packages. */
function shared() {
  const { license, engines } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  return { license, engines };
}

/** The SDK as npm has it: the files that its manifest names, and ONNX Runtime from packages of one platform each. */
function stageSdk(npm) {
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const { files, dependencies: { "onnxruntime-node": runtime, ...dependencies } } = manifest;
  const left = files.filter((/** @type {string} */ one) => one.startsWith("!")).map((one) => join(home, one.slice(1)));
  const add = (/** @type {string} */ path) => {
    if (left.includes(path)) return;
    if (!statSync(path).isDirectory()) return put(path, join(npm, relative(home, path)));
    for (const name of readdirSync(path)) add(join(path, name));
  };
  for (const one of files) if (!one.startsWith("!")) add(join(home, one));
  for (const one of ["LICENSE", "README.md"]) add(join(home, one));
  writeJson(join(npm, "package.json"), {
    ...manifest,
    dependencies,
    optionalDependencies: runtimeDependencies(),
    // Whoever installs it for CUDA gets it in place of the package of this platform.
    peerDependencies: { ...manifest.peerDependencies, "onnxruntime-node": runtime },
    peerDependenciesMeta: { ...manifest.peerDependenciesMeta, "onnxruntime-node": { optional: true } },
  });
}

/** Where a package's sources are: in the repository that the SDK's own manifest names. */
function placeOf(directory) {
  const { repository, homepage, bugs } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  return { repository: directory === "" ? repository : { ...repository, directory }, homepage, bugs };
}

function stageModel(manifest, model, source, npm, jsr) {
  for (const target of [npm, jsr]) {
    for (const file of ["mod.js", "mod.d.ts"]) put(join(source, file), join(target, file));
    for (const file of [...modelFiles(model), "README.md"]) put(join(home, "models", model, file), join(target, file));
  }
  writeJson(join(jsr, "deno.json"), { ...jsrManifest(manifest), exports: "./mod.js" });
}

function stageSources(manifest, entry, source, npm, jsr) {
  for (const target of [npm, jsr]) put(join(source, "README.md"), join(target, "README.md"));
  for (const file of sourceClosure(home, entry)) put(join(home, file), join(jsr, file));
  writeJson(join(jsr, "deno.json"), { ...jsrManifest(manifest), exports: `./${entry}`, ...options() });

  const dist = join(home, "dist");
  const declarations = (/** @type {string} */ path) => path.replace(/\.[jt]s$/, ".d.ts");
  for (const file of sourceClosure(dist, declarations(entry), declarations)) put(join(dist, file), join(npm, file));
  createRequire(import.meta.url)("esbuild").buildSync({
    entryPoints: [join(home, entry)],
    outfile: join(npm, "mod.js"),
    bundle: true,
    format: "esm",
    target: "es2023",
  });
}

/** The fleet has no copy of the SDK's modules: its errors have to be of the same classes. */
function stageFleet(manifest, source, npm, jsr) {
  for (const target of [npm, jsr]) put(join(source, "README.md"), join(target, "README.md"));
  for (const path of fleetSources()) {
    const built = path.replace(/\.ts$/, ".js");
    write(join(jsr, path), importSdk(path, readFileSync(join(home, path), "utf8")));
    write(join(npm, built), importSdk(built, readFileSync(join(home, "dist", built), "utf8")));
  }
  const packages = Object.entries(manifest.dependencies).map(([name, version]) => [name, `npm:${name}@${version}`]);
  const imports = { "@svc/sdk": `jsr:@svc/sdk@${manifest.version}`, ...Object.fromEntries(packages) };
  writeJson(join(jsr, "deno.json"), { ...jsrManifest(manifest), exports: "./fleet/mod.ts", imports, ...options() });
}

function options() {
  const configuration = JSON.parse(readFileSync(join(home, "deno.json"), "utf8"));
  return Object.fromEntries(COMPILER.map((key) => [key, configuration[key]]));
}

function jsrManifest({ name, version, license }) {
  return { name, version, license };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? join(home, "dist/packages"));
  console.log(`${stagePackages(folder).join(", ")} in ${folder}`);
}
