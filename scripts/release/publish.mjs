/**
 * Publishes every package to npm and to JSR, with provenance; a version that is there already is left alone.
 *
 *   node scripts/release/publish.mjs
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { root } from "../install.mjs";
import { stagePackages } from "../packages/stage_packages.mjs";
import { runtimeFolders } from "../packages/stage_runtimes.mjs";

const home = fileURLToPath(root);
const staged = join(home, "dist/packages");
const deno = join(home, "node_modules/deno/bin.cjs");

function run(command, args, cwd, stdio = "inherit") {
  return spawnSync(command, args, { cwd, stdio, encoding: "utf8" });
}

// Models first: the SDK fetches them as soon as it is there; on npm also ONNX Runtime, which it depends on. The fleet
// last: it imports the SDK.
const names = stagePackages(staged).filter((name) => name !== "fleet")
  .sort((a, b) => Number(b.includes("corridor")) - Number(a.includes("corridor")));
const inOrder = (/** @type {string} */ registry, /** @type {string[]} */ own, /** @type {string} */ sdk) => {
  const of = (/** @type {string} */ name) => join(staged, registry, name);
  return [...own, ...names].map(of).concat(sdk, of("fleet"));
};
for (const folder of inOrder("npm", runtimeFolders(), join(staged, "npm/sdk"))) {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (run("npm", ["view", `${name}@${version}`, "version"], folder, "pipe").stdout?.trim() === version) {
    console.error(`svc: ${name} ${version} is on npm already`);
    continue;
  }
  const { status } = run("npm", ["publish", "--provenance", "--access", "public", "--ignore-scripts"], folder);
  if (status !== 0) process.exit(1);
}
for (const folder of inOrder("jsr", [], home)) {
  const { status } = run(process.execPath, [deno, "publish", "--allow-dirty"], folder);
  if (status !== 0) process.exit(1);
}
