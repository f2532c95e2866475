import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectModelRoots } from "../../../lib/world/backends/model_roots.ts";

const ALL: Record<string, string> = {
  "/base/config.json": '{"default_width":96,"default_height":64,"default_fps":16,"vae":{}}',
  "/base/tokenizer.json": "{}",
  "/base/t5_encoder.safetensors": "",
  "/base/vae.safetensors": "",
  "/causal/config.json": "{}",
  "/causal/model.safetensors": "",
};

function location(files: Record<string, string>) {
  return {
    id: "tiny",
    path: "/causal",
    basePath: "/base",
    remedy: "put them there",
    exists: (root: string, name: string) => Promise.resolve(`${root}/${name}` in files),
    readText: (root: string, name: string) => Promise.resolve(files[`${root}/${name}`]),
  };
}

test("inspectModelRoots() gives the defaults of the model", async () => {
  assert.deepEqual(await inspectModelRoots(location(ALL)), {
    id: "tiny",
    path: "/causal",
    basePath: "/base",
    defaults: { width: 96, height: 64, fps: 16 },
  });
  const { defaults } = await inspectModelRoots(location({ ...ALL, "/base/config.json": "{}" }));
  assert.deepEqual(defaults, {});
});

test("inspectModelRoots() takes sharded weights", async () => {
  const { "/causal/model.safetensors": _, ...rest } = ALL;
  await inspectModelRoots(location({ ...rest, "/causal/model.safetensors.index.json": "{}" }));
});

// @row world-session > Errors > A missing model: 503 with every file and the command; nothing is downloaded
test("inspectModelRoots() names every missing file and the remedy", async () => {
  await assert.rejects(
    inspectModelRoots(location({ "/base/tokenizer.json": "{}" })),
    (error: Error & { code: string }) => {
      assert.equal(error.code, "model_unavailable");
      for (const file of Object.keys(ALL)) {
        assert.equal(
          error.message.includes(file),
          file !== "/base/tokenizer.json",
          file,
        );
      }
      assert.match(error.message, /put them there$/);
      return true;
    },
  );
});

test("inspectModelRoots() refuses a configuration that cannot be", async () => {
  for (const config of ["{", "[]", '{"default_width":100}', '{"default_height":"64"}', '{"default_fps":0}']) {
    await assert.rejects(inspectModelRoots(location({ ...ALL, "/base/config.json": config })), {
      code: "model_invalid_config",
    });
  }
});
