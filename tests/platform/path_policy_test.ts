import assert from "node:assert/strict";
import { realpath, stat } from "node:fs/promises";
import nodePath, { posix, win32 } from "node:path";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { MAX_PATH_BYTES, MAX_PATH_SEGMENTS } from "../../lib/json/path_text.ts";
import { pathPolicy, type PathSource } from "../../lib/platform/files/path_policy.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** The disk of this machine, counting the looks at it. */
function countedDisk(): { readonly source: PathSource; readonly looks: () => number } {
  let looks = 0;
  const counted = <T>(look: (path: string) => Promise<T>) => (path: string): Promise<T> => {
    looks++;
    return look(path);
  };
  return {
    source: { path: nodePath, stat: counted(stat), realpath: counted((path) => realpath(path)) },
    looks: () => looks,
  };
}

test("pathPolicy() finds what is missing of a long path with a few looks at the disk", () =>
  withFolder(async (root) => {
    mkdirSync(nodePath.join(root, "a", "b"), { recursive: true });
    for (const [path, missing] of [["a/b", 0], ["a/b", 1], ["a", 100], ["", 200], ["a/b", 253]] as const) {
      const { source, looks } = countedDisk();
      const rest = Array(missing).fill("x").join("/");
      const name = nodePath.join(path, rest) || ".";
      assert.equal(await pathPolicy(["."], root, source).check(name), nodePath.join(root, path, rest));
      assert.ok(looks() <= 11, `${missing} missing folders took ${looks()} looks`);
    }
  }));

test("pathPolicy() reads no disk for a text that is not a path", async () => {
  const { source, looks } = countedDisk();
  const policy = pathPolicy(["."], "/", source);
  const texts = ["", "a\0b", "x".repeat(MAX_PATH_BYTES + 1), "é".repeat(MAX_PATH_BYTES / 2 + 1), "é".repeat(1e6)];
  for (const text of [...texts, "x/".repeat(MAX_PATH_SEGMENTS), "\\".repeat(MAX_PATH_SEGMENTS)]) {
    await assert.rejects(policy.check(text), { code: "invalid_path" });
  }
  assert.equal(looks(), 0);
});

/** A disk that has everything and says what it was asked for. */
function fakeDisk(path: typeof posix): { readonly source: PathSource; readonly asked: string[] } {
  const asked: string[] = [];
  const look = (name: string) => {
    asked.push(name);
    return Promise.resolve(name);
  };
  return { source: { path, stat: look, realpath: look }, asked };
}

test("pathPolicy() refuses paths of other machines on Windows by their text alone", async () => {
  const { source, asked } = fakeDisk(win32);
  const policy = pathPolicy(["."], "C:\\work", source);
  const elsewhere = [
    "\\\\host\\share\\a.png",
    "//host/share/a.png",
    "\\\\?\\UNC\\host\\share\\a",
    "\\\\.\\pipe\\x",
    "\\/host/x/y",
  ];
  for (const path of elsewhere) await assert.rejects(policy.check(path), { code: "path_not_allowed" }, path);
  assert.deepEqual(asked, []);
  assert.equal(await policy.check("a\\b.png"), "C:\\work\\a\\b.png");
  await assert.rejects(policy.check("D:\\a.png"), { code: "path_not_allowed" });
});

test("pathPolicy() allows paths of another machine below a folder there that is allowed", async () => {
  const { source } = fakeDisk(win32);
  const policy = pathPolicy(["\\\\host\\share\\images"], "C:\\work", source);
  assert.equal(await policy.check("//host/share/images/a.png"), "\\\\host\\share\\images\\a.png");
  await assert.rejects(policy.check("\\\\host\\share\\other"), { code: "path_not_allowed" });
  await assert.rejects(policy.check("\\\\host\\share\\images\\..\\other"), { code: "path_not_allowed" });
});

test("pathPolicy() takes two slashes for one where paths of other machines look like others", async () => {
  const { source } = fakeDisk(posix);
  assert.equal(await pathPolicy(["/srv"], "/", source).check("//srv//a"), "/srv/a");
});
