/**
 * Compiles `svc` into one binary: workers and native libraries included, models not.
 *
 *   node scripts/release/compile.mjs TARGET    such as x86_64-unknown-linux-gnu; writes dist/bin/svc-TARGET
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { root } from "../install.mjs";

const home = fileURLToPath(root);

/**
 * Arguments of `deno` for a target.
 *
 * @param {string} target
 */
export function compileArguments(target) {
  const { exports } = JSON.parse(readFileSync(join(home, "deno.json"), "utf8"));
  const workers = Object.entries(exports).filter(([name]) => name.startsWith("./workers/"));
  const output = `dist/bin/svc-${target}${target.includes("windows") ? ".exe" : ""}`;
  // Native add-ons are loaded by path: the binary unpacks itself once.
  const options = ["--allow-all", "--no-check", "--self-extracting", "--target", target, "--output", output];
  return ["compile", ...options, ...workers.flatMap(([, path]) => ["--include", path]), "cli/main.ts"];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.argv[2];
  if (target === undefined) {
    console.error("svc: cannot compile: no target, expected one such as x86_64-unknown-linux-gnu");
    process.exit(2);
  }
  mkdirSync(join(home, "dist/bin"), { recursive: true });
  const deno = join(home, "node_modules/deno/bin.cjs");
  const { status } = spawnSync(process.execPath, [deno, ...compileArguments(target)], { cwd: home, stdio: "inherit" });
  process.exit(status ?? 1);
}
