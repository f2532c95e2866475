import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openSafetensors, sizeOf } from "../../lib/compute/tensor/mod.ts";
import { videoDepthShapes } from "../../lib/models/video_depth_anything/config.ts";
import { sha256, withHub } from "../support/fake_hub.ts";
import { withModelMachine } from "../support/model_machine.ts";
import { torchCheckpoint } from "../support/pickle_bytes.ts";

const name = "depth-anything/Video-Depth-Anything-Small";
const file = "video_depth_anything_vits.pth";

/** A network whose number of heads follows from its width, as that of the published one does. */
const shapes = videoDepthShapes({
  backbone: { dim: 64, depth: 4, heads: 1, hidden: 256, patch: 14, grid: 3 },
  take: [0, 1, 2, 3],
  head: { input: 64, channels: [16, 16, 32, 32], features: 32 },
});
const tensors = new Map(Array.from(shapes, ([name, shape], i) => {
  const data = Float32Array.from({ length: sizeOf(shape) }, (_, at) => Math.sin(at + i));
  return [name, { shape, data }] as const;
}));

test("svc model pull converts a published torch checkpoint, and records what it has made", async () => {
  const files = { [file]: torchCheckpoint(tensors), "README.md": new Uint8Array(9), "other.pth": new Uint8Array(9) };
  await withHub(
    [{ name, license: "apache-2.0", files }],
    (hub) =>
      withModelMachine(async ({ environment, store, run, out }) => {
        environment.HF_ENDPOINT = hub.url;
        assert.equal(await run("pull", "vision-depth-vda-small"), 0);
        assert.match(out[0], /^Pulled vision-depth-vda-small \(vision\.depth, graph-vda, /);
        const [model] = await store.list();
        assert.deepEqual(model.files.map(({ path }) => path), ["model.safetensors"]);
        const bytes = new Uint8Array(readFileSync(join(model.folder, "model.safetensors")));
        assert.deepEqual([model.bytes, model.files[0].sha256], [bytes.length, sha256(bytes)]);
        const converted = await openSafetensors("converted", bytes);
        for (const [name, { data }] of tensors) assert.deepEqual((await converted.read(name)).data, data, name);
        assert.equal(converted.metadata.get("source_sha256"), sha256(files[file]));
        assert.deepEqual(readdirSync(store.layout.downloads), []);
        assert.equal(await run("verify"), 0);
      }),
  );
});

test("svc model pull refuses a checkpoint with more than tensors in it, and a repository without it", async () => {
  const data = new URL("../models/checkpoint/torch/data/foreign.ckpt", import.meta.url);
  const foreign = new Uint8Array(readFileSync(data));
  for (const [path, code] of [[file, "checkpoint_refused"], ["other.pth", "unsuitable_files"]]) {
    await withHub(
      [{ name, license: "apache-2.0", files: { [path]: foreign } }],
      (hub) =>
        withModelMachine(async ({ environment, store, run }) => {
          environment.HF_ENDPOINT = hub.url;
          await assert.rejects(run("pull", "vision-depth-vda-small"), { code });
          assert.deepEqual(await store.list(), []);
        }),
    );
  }
});
