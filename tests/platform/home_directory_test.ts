import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import {
  appDirectory,
  findAppDirectory,
  homeDirectory,
  sessionDirectory,
} from "../../lib/platform/files/app_directory.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { encodedTexts } from "../../lib/world/host/arworld_files.ts";
import { programOf, ROOT } from "../support/program_arguments.ts";
import { withFolder } from "../support/temporary_folder.ts";

test("homeDirectory() is undefined where the system has none, as Node, Deno and an empty variable say it", () => {
  assert.equal(homeDirectory(() => "/home/ada"), "/home/ada");
  const thrown = () => {
    throw Object.assign(new Error("uv_os_homedir returned ENOENT"), { code: "ERR_SYSTEM_ERROR" });
  };
  for (const none of [thrown, () => null, () => undefined, () => ""]) assert.equal(homeDirectory(none), undefined);
});

test("appDirectory() without a home folder takes what a variable names, else names the variable", () => {
  const platform = (name: string, env: Record<string, string> = {}) => ({ env, platform: name, home: undefined });
  for (const name of ["linux", "darwin", "win32", "freebsd"]) {
    assert.equal(appDirectory(platform(name, { SVC_HOME: "/srv/svc" })), "/srv/svc");
    assert.equal(findAppDirectory(platform(name)), undefined);
    assert.throws(() => appDirectory(platform(name)), (error) => {
      return error instanceof UsageError && /has no home folder, expected the variable SVC_HOME/.test(error.message);
    });
  }
  assert.equal(appDirectory(platform("linux", { XDG_DATA_HOME: "/data" })), "/data/svc");
  assert.equal(sessionDirectory("/srv/world", platform("linux")), "/srv/world");
});

test("encodedTexts() keeps texts in the folder of state, and nothing where there is none", () =>
  withFolder(async (folder) => {
    const home = findAppDirectory({ env: {}, platform: "linux", home: folder });
    const nowhere = findAppDirectory({ env: {}, platform: "linux", home: undefined });
    const key = "a".repeat(64);
    for (const [state, kept] of [[home, Float32Array.of(1)], [nowhere, undefined]] as const) {
      await encodedTexts(state).set(key, Float32Array.of(1));
      assert.deepEqual(await encodedTexts(state).get(key), kept);
    }
  }));

/** A user that no system has an entry for. */
const STRANGER = 54321;

/** Runs `svc` as that user with no variables but those that are given. */
function runStranger(args: readonly string[], env: Record<string, string> = {}) {
  const { PATH = "" } = process.env;
  const options = { cwd: ROOT, env: { PATH, ...env }, uid: STRANGER, gid: STRANGER, encoding: "utf8" } as const;
  return spawnSync(process.execPath, [...programOf("cli/main.ts"), ...args], options);
}

const mayBecome = process.getuid?.() === 0 && !("Deno" in globalThis) && !runStranger(["--version"]).status;
const skip = mayBecome ? false : "this needs root, Node, and a checkout that everybody may read";

test("svc names the variable that a user without a home folder has to set", { skip }, () => {
  for (const args of [["model", "list"], ["api", "serve", "--port=0"], ["world", "serve", "--port=0"]]) {
    const { status, stderr } = runStranger(args);
    assert.equal(status, 2, args.join(" "));
    assert.match(stderr, /^svc: Cannot find the folder of state and models: .* SVC_HOME /m);
  }
});

test("svc works for a user without a home folder once SVC_HOME is set", { skip }, async () => {
  await withFolder((folder) => {
    chmodSync(folder, 0o777);
    const { status, stderr } = runStranger(["model", "list"], { SVC_HOME: folder });
    assert.equal(status, 0, stderr);
  });
});
