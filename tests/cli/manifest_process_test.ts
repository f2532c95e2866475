import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { smallManifest, smallNode } from "../manifest/small_manifest.ts";
import { programArguments } from "../support/program_arguments.ts";
import { withFolder } from "../support/temporary_folder.ts";

const PROGRAM = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));

test("svc manifest validate works as a program, with folders, the standard input and a long report", async () => {
  await withFolder((folder) => {
    const nodes = Array.from({ length: 2000 }, () => smallNode({ title: "" }));
    writeFileSync(join(folder, "bad.json"), JSON.stringify({ ...smallManifest(), nodes }, null, 2));
    writeFileSync(join(folder, "good.json"), JSON.stringify(smallManifest()));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        ...programArguments(),
        PROGRAM,
        "manifest",
        "validate",
        folder,
        "-",
        "--format",
        "json",
        "--max-findings",
        "5000",
      ],
      { input: "{", encoding: "utf8", maxBuffer: 1e8 },
    );
    assert.equal(stderr, "");
    const { files, valid } = JSON.parse(stdout);
    assert.deepEqual(files.map(({ valid }: { valid: boolean }) => valid), [false, true, false]);
    assert.deepEqual([files[0].findings.length, files[2].findings[0].rule, valid], [2000, "not_json", false]);
    assert.equal(status, 1);
  });
});
