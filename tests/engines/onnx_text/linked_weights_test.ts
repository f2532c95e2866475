import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { openModelFolder } from "../../../lib/store/model_folder.ts";
import { openOnnxTextModel } from "../../../lib/engines/onnx_text/onnx_text_model.ts";
import type { ModelFiles } from "../../fixtures/tiny_models/model_files.ts";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { writeModel } from "../../fixtures/tiny_models/write_model.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { TINY_ENGINE, tinyJob } from "../../support/tiny_text_model.ts";

const prompt = [72, 101, 108, 108, 111];

async function saidBy(folder: string, files: ModelFiles): Promise<number[]> {
  const model = await openOnnxTextModel(openModelFolder(folder, Object.keys(files)), TINY_ENGINE);
  const said: number[] = [];
  await model.generate(tinyJob(prompt, { onToken: (id) => said.push(id) > 0 }), new AbortController().signal);
  await model.close();
  return said;
}

/** Writes files as the hub's library does: blobs by their hash, and links to them. */
function linked(folder: string, files: ModelFiles, blobsOf: (name: string) => string): string {
  const snapshot = join(folder, "snapshots", "0123abcd");
  for (const [name, bytes] of Object.entries(files)) {
    const blob = join(folder, blobsOf(name), createHash("sha256").update(bytes).digest("hex"));
    const link = join(snapshot, name);
    mkdirSync(dirname(blob), { recursive: true });
    mkdirSync(dirname(link), { recursive: true });
    writeFileSync(blob, bytes);
    symlinkSync(relative(dirname(link), blob), link);
  }
  return snapshot;
}

for (const externalData of [false, true]) {
  test(`onnx-text runs weights ${externalData ? "beside" : "in"} a graph that are links, as in the hub's cache`, async (t) => {
    if (process.platform === "win32") return t.skip("links need a permission there");
    const files = onnxChatModel({ kind: "gqa", weights: "q4", script: false, externalData });
    await withFolder(async (folder) => {
      const plain = join(folder, "plain");
      writeModel(plain, files);
      const expected = await saidBy(plain, files);
      assert.equal(expected.length, 12);
      assert.deepEqual(await saidBy(linked(join(folder, "cache"), files, () => "blobs"), files), expected);
      // Graph and weights on different disks.
      const apart = linked(join(folder, "apart"), files, (name) => name.endsWith("_data") ? "big/weights" : "small");
      assert.deepEqual(await saidBy(apart, files), expected);
      // A folder that is a link itself.
      symlinkSync(plain, join(folder, "link"));
      assert.deepEqual(await saidBy(join(folder, "link"), files), expected);
    });
  });
}
