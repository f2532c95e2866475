import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileLines } from "../../../fleet/batches/submit_batch.ts";

test("lines of a file come as they are asked for, of one without an end its beginning", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-file-lines-"));
  const path = join(folder, "lines");
  const read = async (content: string): Promise<string[]> => {
    await writeFile(path, content);
    const lines: string[] = [];
    for await (const line of fileLines(path, 1000)) lines.push(line);
    return lines;
  };
  try {
    assert.deepEqual(await read("a\n\nb"), ["a", "", "b"]);
    assert.deepEqual(await read(""), [""]);
    // Longer than what is read at a time, with a character that is cut there.
    const long = Array.from({ length: 1000 }, (_, i) => `${i} ${"ä".repeat(400)}`);
    assert.deepEqual(await read(long.join("\n")), long);
    const endless = await read(`a\n${"x".repeat(2 ** 20)}\nb`);
    assert.deepEqual([endless.length, endless[0]], [2, "a"]);
    assert.ok(endless[1].length > 1000 && endless[1].length < 2 ** 20);
    await assert.rejects(async () => {
      for await (const _ of fileLines(join(folder, "none"), 1000));
    }, /there is no such file/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
