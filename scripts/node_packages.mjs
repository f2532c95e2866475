/** Packages of npm that only tests of clients need. */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { root } from "./install.mjs";

/** What the packages depend on is as it was on this day, which pins it without a lock file of its own. */
const DAY = "2026-11-27";

/**
 * A folder with the packages of `tests/clients/<name>/package.json`, installed once, below node_modules/.cache; what is
 * run in it finds them.
 *
 * @param {string} name
 * @returns {string} the folder
 */
export function nodePackages(name) {
  const folder = new URL(`node_modules/.cache/${name}/`, root);
  const marker = new URL("installed.txt", folder);
  const wanted = readFileSync(new URL(`tests/clients/${name}/package.json`, root), "utf8");
  if (existsSync(marker) && readFileSync(marker, "utf8") === `${DAY}\n${wanted}`) return fileURLToPath(folder);
  console.error(`svc: installing the packages of tests/clients/${name}/package.json ...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("package.json", folder), wanted);
  // On Windows npm is a batch file.
  const { status } = spawnSync("npm", ["install", `--before=${DAY}`, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error(`svc: npm install in ${fileURLToPath(folder)} failed; check the network and run it again`);
    process.exit(1);
  }
  writeFileSync(marker, `${DAY}\n${wanted}`);
  return fileURLToPath(folder);
}
