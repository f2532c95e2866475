import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const MEBIBYTE = 1024 * 1024;
/** The most that the tracked files may have. */
const LARGEST = 45 * MEBIBYTE;

test("the repository is light: its tracked files have at most 45 MiB", (t) => {
  const root = new URL("../../", import.meta.url);
  const { stdout, status } = spawnSync("git", ["ls-files", "-z"], { cwd: fileURLToPath(root), encoding: "utf8" });
  if (status !== 0) return t.skip("this is not a clone, or git is not installed");
  const files = stdout.split("\0").filter((path) => path !== "")
    .map((path) => ({ path, bytes: lstatSync(new URL(path, root), { throwIfNoEntry: false })?.size ?? 0 }));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const largest = files.sort((a, b) => b.bytes - a.bytes).slice(0, 5).map((file) => `${file.path} ${file.bytes}`);
  const found = `the tracked files have ${(bytes / MEBIBYTE).toFixed(2)} MiB, expected at most 45`;
  assert.ok(files.length > 1000, `git lists ${files.length} files`);
  assert.ok(bytes <= LARGEST, `${found}; the largest are ${largest.join(", ")}`);
  t.diagnostic(found);
});
