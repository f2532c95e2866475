import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectActionworldRoot } from "../../../lib/world/backends/model_roots.ts";
import { tinyActionworld } from "../../support/tiny_actionworld.ts";
import type { RootFiles } from "../../support/tiny_arworld.ts";

const REMEDY = "put them there";

function folder(files: RootFiles) {
  return {
    id: "tiny",
    path: "/world",
    remedy: REMEDY,
    exists: (_root: string, name: string) => Promise.resolve(files.has(name)),
    readText: (_root: string, name: string) =>
      Promise.resolve(files.has(name) ? new TextDecoder().decode(files.get(name)) : undefined),
  };
}

async function messageOf(files: RootFiles): Promise<string> {
  const error = await inspectActionworldRoot(folder(files)).then(() => undefined, (e) => e);
  assert.ok(error, "the snapshot was accepted");
  return error.message;
}

test("inspectActionworldRoot() gives the defaults of a whole snapshot, steps included", async () => {
  assert.deepEqual(await inspectActionworldRoot(folder(tinyActionworld())), {
    id: "tiny",
    path: "/world",
    defaults: { width: 48, height: 32, fps: 8, steps: 2 },
  });
});

test("inspectActionworldRoot() names every missing file, shards of an index too", async () => {
  const files = tinyActionworld();
  const shard = [...files.keys()].find((name) => name.includes("00002-of-00002"))!;
  for (const name of [shard, "tokenizer.json", "vision_encoder/model.safetensors"]) files.delete(name);
  assert.equal(
    await messageOf(files),
    `Cannot prepare tiny: 3 files are missing (/world/tokenizer.json, /world/${shard}, ` +
      `/world/vision_encoder/model.safetensors); ${REMEDY}`,
  );
  assert.match(await messageOf(new Map()), /^Cannot prepare tiny: 8 files are missing \(\/world\/config\.json, /);
});

test("inspectActionworldRoot() takes the tokenizer from either place", async () => {
  const files = tinyActionworld();
  files.set("text_tokenizer/tokenizer.json", files.get("tokenizer.json")!);
  files.delete("tokenizer.json");
  assert.equal((await inspectActionworldRoot(folder(files))).id, "tiny");
});

test("inspectActionworldRoot() refuses defaults that cannot be", async () => {
  const configs = [
    '{"default_width":8}',
    '{"default_height":1296}',
    '{"default_steps":0}',
    '{"default_fps":241}',
    "[]",
  ];
  for (const config of configs) {
    const files = tinyActionworld();
    files.set("config.json", new TextEncoder().encode(config));
    assert.match(await messageOf(files), /^Cannot use \/world\/config\.json: /, config);
  }
});
