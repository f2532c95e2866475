/**
 * Compiles `svc` into one binary: workers and native libraries included, models not.
 *
 *   node scripts/release/compile.mjs TARGET    such as x86_64-unknown-linux-gnu; writes dist/bin/svc-TARGET and, beside
 *                                              it, the notices of third parties
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { root } from "../install.mjs";
import { NOTICES, noticesOfBinary } from "../notices/write_notices.mjs";

const home = fileURLToPath(root);

/**
 * Arguments of `deno` for a target.
 *
 * @param {string} target
 */
export function compileArguments(target) {
  const { exports } = JSON.parse(readFileSync(join(home, "deno.json"), "utf8"));
  const workers = Object.entries(exports).filter(([name]) => name.startsWith("./workers/"));
  // Found when it is needed: the program has it beside its servers, as a clone has.
  const modules = [...workers.map(([, path]) => path), "./fleet/mod.ts"];
  const output = `dist/bin/svc-${target}${target.includes("windows") ? ".exe" : ""}`;
  // Native add-ons are loaded by path: the binary unpacks itself once.
  const options = ["--allow-all", "--no-check", "--self-extracting", "--target", target, "--output", output];
  const included = modules.flatMap((path) => ["--include", path]);
  const excluded = leftOut(target).flatMap((path) => ["--exclude", path]);
  return ["compile", ...options, ...included, ...excluded, "cli/main.ts"];
}

/**
 * Folders of installed packages that a user of the binary has no use for: what only development needs, and native
 * libraries of other platforms: 1.6 of 1.7 GB.
 *
 * @param {string} target
 */
function leftOut(target) {
  const { packages } = JSON.parse(readFileSync(join(home, "package-lock.json"), "utf8"));
  const ofFleet = fleetPackages(packages);
  const ofDevelopment = Object.keys(packages)
    .filter((path) => (packages[path].dev || packages[path].devOptional) && !ofFleet.has(path));
  const platform = target.includes("windows") ? "win32" : target.includes("apple") ? "darwin" : "linux";
  const processor = target.startsWith("aarch64") ? "arm64" : "x64";
  const native = "node_modules/onnxruntime-node/bin/napi-v6";
  const others = ["win32", "darwin", "linux"].flatMap((name) => ["x64", "arm64"].map((arch) => `${name}/${arch}`))
    .filter((folder) => folder !== `${platform}/${processor}`).map((folder) => `${native}/${folder}`);
  // What tests and the site have fetched, and the compiler's own binary, which the lock file does not call development.
  const fetched = ["node_modules/.cache", "node_modules/@typescript"];
  return [...ofDevelopment.filter((path) => !ofDevelopment.includes(outerPackage(path))), ...fetched, ...others]
    .filter((path) => existsSync(join(home, path)));
}

/** What the fleet, which the program has too, imports: to the SDK alone that is of development. */
function fleetPackages(packages) {
  const { dependencies } = JSON.parse(readFileSync(join(home, "packages/fleet/package.json"), "utf8"));
  const found = new Set(Object.keys(dependencies).map((name) => `node_modules/${name}`));
  for (const path of found) {
    for (const name of Object.keys(packages[path].dependencies ?? {})) found.add(`node_modules/${name}`);
  }
  return found;
}

/** The package that a package is nested in; itself for the others, with another name. */
function outerPackage(path) {
  return path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/")));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.argv[2];
  if (target === undefined) {
    console.error("svc: cannot compile: no target, expected one such as x86_64-unknown-linux-gnu");
    process.exit(2);
  }
  mkdirSync(join(home, "dist/bin"), { recursive: true });
  writeFileSync(join(home, `dist/bin/svc-${target}-${NOTICES}`), await noticesOfBinary());
  const deno = join(home, "node_modules/deno/bin.cjs");
  const { status } = spawnSync(process.execPath, [deno, ...compileArguments(target)], { cwd: home, stdio: "inherit" });
  process.exit(status ?? 1);
}
