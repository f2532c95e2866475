import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findFiles } from "../../lib/platform/files/find_files.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** The files that a word stands for in a folder with some files, without the folder's name. */
async function found(word: string): Promise<readonly string[] | string> {
  let result: readonly string[] | string = [];
  await withFolder(async (folder) => {
    for (
      const path of ["a.json", "b.txt", "x/c.json", "x/y/d1.json", "x/[z].json", "node_modules/e.json", ".git/f.json"]
    ) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), "{}");
    }
    mkdirSync(join(folder, "empty"));
    const { files, problem } = {
      files: undefined,
      ...await findFiles(word === "" ? folder : `${folder}/${word}`, ".json"),
    };
    result = problem ?? (files ?? []).map((path) => path.slice(folder.length + 1).replaceAll("\\", "/"));
  });
  return result;
}

test("findFiles() takes a file as it is, whatever its name", async () => {
  assert.deepEqual(await found("b.txt"), ["b.txt"]);
  assert.deepEqual(await found("x/[z].json"), ["x/[z].json"]);
});

test("findFiles() takes all files of a folder with the ending, but hidden and installed ones", async () => {
  assert.deepEqual(await found(""), ["a.json", "x/[z].json", "x/c.json", "x/y/d1.json"]);
  assert.equal(await found("empty"), "there is no .json file in this folder, expected at least one");
});

test("findFiles() matches patterns", async () => {
  assert.deepEqual(await found("*.{json,txt}"), ["a.json", "b.txt"]);
  assert.deepEqual(await found("**/*.json"), ["a.json", "x/[z].json", "x/c.json", "x/y/d1.json"]);
  assert.deepEqual(await found("x/**/d[0-9].json"), ["x/y/d1.json"]);
  assert.deepEqual(await found("x/?.json"), ["x/c.json"]);
  assert.deepEqual(await found("*/[!d].json"), ["x/c.json"]);
  assert.equal(await found("*.yaml"), "no file matches this pattern, expected at least one");
});

test("findFiles() says that a file is missing", async () => {
  assert.match(
    await found("none.json") as string,
    /^the file does not exist, expected a file, a folder, a pattern or -/,
  );
});
