import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { programArguments } from "../support/program_arguments.ts";
import { ROOT } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

const skip = process.platform === "win32" || spawnSync("git", ["--version"]).status !== 0 ? "there is no git" : false;

test(
  "the Git hook stops a commit with a manifest that is wrong, and lets others pass",
  { skip },
  () =>
    withFolder((folder) => {
      const SVC = [process.execPath, ...programArguments(), join(ROOT, "cli/main.ts")].join(" ");
      const git = (...args: string[]) =>
        spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
          cwd: folder,
          encoding: "utf8",
          env: { ...process.env, SVC, GIT_CONFIG_GLOBAL: "/dev/null", NO_COLOR: "1" },
        });
      git("init", "--quiet");
      copyFileSync(join(ROOT, "examples/ci/pre-commit"), join(folder, ".git/hooks/pre-commit"));
      chmodSync(join(folder, ".git/hooks/pre-commit"), 0o755);
      writeFileSync(join(folder, "readme.txt"), "nothing to validate");
      git("add", ".");
      assert.equal(git("commit", "-m", "first").status, 0);
      writeFileSync(join(folder, "a manifest.json"), '{ "contract_version": "svc/plugin-graph-provider.v1" }');
      git("add", ".");
      const refused = git("commit", "-m", "second");
      assert.notEqual(refused.status, 0);
      assert.match(refused.stdout + refused.stderr, /a manifest\.json:1:1 error required\n +"provider_id" is missing/);
    }),
);
