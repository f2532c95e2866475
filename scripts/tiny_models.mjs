/**
 * `npm run tiny-models`: makes the tiny models of tests/fixtures/tiny_models and adds them to the model store, so that the
 * model API can be tried without a download.
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { root } from "./install.mjs";

build();
const folder = mkdtempSync(join(tmpdir(), "svc-tiny-models-"));
try {
  run(["--import", "tsx", "tests/fixtures/tiny_models/make.ts", folder], "ignore");
  for (const id of readdirSync(folder).sort()) {
    // An older one of that name goes; where there is none, that is not an error.
    spawnSync(process.execPath, ["dist/cli/main.js", "model", "rm", id, "--yes"], { cwd: fileURLToPath(root) });
    run(["dist/cli/main.js", "model", "add", join(folder, id), "--id", id, "--test"], "inherit");
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log("\nnpm run api -- --model tiny-chat    serves them");

/**
 * What a model is copied from is of no interest, unless something fails.
 *
 * @param {string[]} args @param {"ignore" | "inherit"} output
 */
function run(args, output) {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(root),
    stdio: ["ignore", output, "pipe"],
  });
  if (status === 0) return;
  process.stderr.write(stderr);
  process.exit(status ?? 1);
}
