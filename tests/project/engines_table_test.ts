import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { engineIds, engines } from "../../lib/engines/table/engine_table.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folders: Readonly<Record<string, string>> = {
  "gguf-embedding": "gguf_retrieval",
  "gguf-rerank": "gguf_retrieval",
};

/** Rows of the reference of docs/engines.md: architecture, what is special, engine, device, test. */
const rows = readFileSync(join(root, "docs/engines.md"), "utf8").split(/^## Reference: .*$/m)[1].split("\n")
  .filter((line) => line.startsWith("|")).slice(2)
  .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));

const quoted = (cell: string): string => /^`([^`]+)`$/.exec(cell)?.[1] ?? assert.fail(`${cell} is not a name`);

test("the table of architectures names every engine for texts, and no other", () => {
  const ofTexts = engineIds.filter((id) => ["chat", "embedding", "rerank"].includes(engines[id].kind));
  assert.deepEqual(new Set(rows.map((row) => quoted(row[2]))), new Set(ofTexts));
});

test("each row of the table names a device, and a test of its engine", () => {
  for (const [architecture, , engineCell, device, testCell] of rows) {
    const engine = quoted(engineCell);
    const path = quoted(testCell);
    const text = readFileSync(join(root, path), "utf8");
    assert.match(text, /^\s*test\(/m, path);
    const folder = `engines/${folders[engine] ?? engine.replaceAll("-", "_")}`;
    const belongs = dirname(path) === `tests/${folder}` || text.includes(`lib/${folder}/`);
    assert.ok(belongs, `${path} has nothing of ${engine}, which runs ${architecture}`);
    assert.match(device, /^CPU\b/, architecture);
  }
});
