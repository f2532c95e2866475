import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeTemporaryDirectory } from "../../lib/platform/files/work_folder.ts";
import { readUserFile, writeObstacle, writeUserFile } from "../../lib/platform/files/user_files.ts";

test("writeUserFile() replaces a file and leaves nothing else behind", async () => {
  const folder = await makeTemporaryDirectory();
  const path = join(folder.path, "a.txt");
  await writeUserFile(path, new Uint8Array([65]));
  await writeUserFile(path, new Uint8Array([66]));
  assert.equal(await readFile(path, "utf8"), "B");
  assert.deepEqual(await readdir(folder.path), ["a.txt"]);
  await folder.remove();
});

test("writeUserFile() names the file when it cannot be written", async () => {
  const folder = await makeTemporaryDirectory();
  await assert.rejects(writeUserFile(folder.path, new Uint8Array()), /^Error: Cannot write .*: it is a folder/);
  await assert.rejects(writeUserFile(join(folder.path, "no", "a.txt"), new Uint8Array()), /^Error: Cannot write /);
  await folder.remove();
});

test("writeObstacle() reports an existing file and a missing folder", async () => {
  const folder = await makeTemporaryDirectory();
  assert.equal(await writeObstacle(join(folder.path, "a.txt")), undefined);
  assert.equal(await writeObstacle(folder.path), "exists");
  assert.equal(await writeObstacle(join(folder.path, "no", "a.txt")), "no folder");
  await folder.remove();
});

test("readUserFile() gives undefined when the file does not exist, and says so when it cannot be read", async () => {
  const folder = await makeTemporaryDirectory();
  assert.equal(await readUserFile(join(folder.path, "no")), undefined);
  await assert.rejects(readUserFile(folder.path), /^Error: Cannot read .*: it is a folder, expected a file/);
  await folder.remove();
});

test("makeTemporaryDirectory() makes a new folder each time and removes it with its files", async () => {
  const [one, other] = [await makeTemporaryDirectory(), await makeTemporaryDirectory()];
  assert.notEqual(one.path, other.path);
  await writeUserFile(join(one.path, "a"), new Uint8Array());
  await Promise.all([one.remove(), other.remove()]);
  assert.equal(await writeObstacle(one.path), undefined);
});
