/** Packages of npm that only tests of clients need. */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { root } from "./install.mjs";

/**
 * A folder with the packages of `tests/clients/<name>/package-lock.json`, installed once, below node_modules/.cache. What
 * is run in it finds them.
 *
 * @param {string} name
 * @returns {string} the folder
 */
export function nodePackages(name) {
  const source = new URL(`tests/clients/${name}/`, root);
  const folder = new URL(`node_modules/.cache/${name}/`, root);
  const marker = new URL("installed.json", folder);
  const lock = readFileSync(new URL("package-lock.json", source), "utf8");
  if (existsSync(marker) && readFileSync(marker, "utf8") === lock) return fileURLToPath(folder);
  console.error(`svc: installing packages of tests/clients/${name} ...`);
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(new URL(file, source), new URL(file, folder));
  // Not `npm ci`, which refuses a lock file without the packages of platforms that a registry does not have. On Windows
  // npm is a batch file, which only a shell can start.
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error(`svc: npm install in ${fileURLToPath(folder)} failed; check the network and run it again`);
    process.exit(1);
  }
  writeFileSync(marker, lock);
  return fileURLToPath(folder);
}
