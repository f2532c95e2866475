/** Installs the dependencies of a clone when they are missing or older than the lock file. */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, statSync } from "node:fs";
import { createRequire } from "node:module";

/** The root of the clone. */
export const root = new URL("..", import.meta.url);

/** Runs `npm ci` unless node_modules is current, and makes what is made of it. Exits when that fails. */
export function install() {
  installPackages();
  makeModels();
}

function installPackages() {
  // A link, as a second work tree may have, leads to packages that somebody else installs; npm would delete them first.
  if (lstatSync(new URL("node_modules", root), { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const marker = new URL("node_modules/.package-lock.json", root);
  const lock = new URL("package-lock.json", root);
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return;
  console.error("svc: installing dependencies (npm ci) ...");
  // On Windows npm is a batch file, which only a shell can start.
  const { status } = spawnSync("npm", ["ci"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error("svc: npm ci failed; check the network and run it again");
    process.exit(1);
  }
}

/**
 * Puts the binary of Deno where its package runs it from. The package does so when it is first run, and where several
 * processes run it first at the same time, they replace the binary of one that runs already, which then fails.
 */
export function placeDeno() {
  createRequire(root)("deno/install_api.cjs").runInstall();
}

/** Makes the one file of the models that the repository does not hold: it is another one's content once more. */
export function makeModels() {
  const held = new URL("models/corridor-nano/base/vae.safetensors", root);
  const made = new URL("models/corridor-nano-actions/vae/diffusion_pytorch_model.safetensors", root);
  if (existsSync(made) && statSync(made).mtimeMs >= statSync(held).mtimeMs) return;
  const { status } = spawnSync(process.execPath, ["--import", "tsx", "scripts/make_models.ts"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) process.exit(1);
}
