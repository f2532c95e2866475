import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import { type LoadedBytes, LoadMeter } from "../../../lib/models/checkpoint/load_meter.ts";
import type { ModelRoot } from "../../../lib/models/checkpoint/model_root.ts";
import { byteSource } from "../../../lib/compute/tensor/mod.ts";
import { convertedCorridor } from "../../support/converted_corridor.ts";
import { withFolder } from "../../support/temporary_folder.ts";

test("LoadMeter counts the first read of each tensor, and how long the rest takes", async () => {
  let now = 5000;
  const meter = new LoadMeter(() => now);
  const [a, b, c] = [meter.expect(400), meter.expect(100), meter.expect(500)];
  const heard: LoadedBytes[] = [];
  b(40); // nobody listens
  await meter.during((loaded) => heard.push(loaded), () => {
    a(300);
    now += 3000;
    a(100);
    now += 1000;
    a(400);
    b(100);
    now += 600;
    c(500);
    c(500);
    return Promise.resolve();
  });
  a(400);
  assert.deepEqual(heard, [
    { done: 40, total: 1000 },
    { done: 340, total: 1000, secondsLeft: 6.6 },
    { done: 440, total: 1000, secondsLeft: 5.6 },
    { done: 500, total: 1000, secondsLeft: 5 },
  ]);
  await assert.rejects(meter.during(() => assert.fail(), () => Promise.reject(new Error("no"))), /no/);
});

test("LoadMeter speaks up a hundred times at most", async () => {
  const meter = new LoadMeter(() => 0);
  const reads = Array.from({ length: 5000 }, () => meter.expect(10));
  let count = 0;
  await meter.during(() => count++, () => Promise.resolve(reads.forEach((read) => read(10))));
  assert.equal(count, 100);
});

/** The folder, whose files are left where they are, and whose model has no size of its own. */
function withoutSize(folder: string): ModelRoot {
  const root = modelRoot(folder, 0);
  return {
    name: root.name,
    async open(file) {
      if (file !== "config.json") return await root.open(file);
      const found = (await modelRoot(folder).open(file))!;
      const config = JSON.parse(new TextDecoder().decode(await found.read(0, found.size)));
      return byteSource(new TextEncoder().encode(JSON.stringify({ ...config, default_width: undefined })));
    },
  };
}

test("a model says how far it is loaded while it is prepared, or in the first move where it has no size of its own", () =>
  withFolder(async (folder) => {
    // In 16 bits, so that most of its weights are large enough to stay in their files.
    await convertedCorridor(folder, "f16");
    const views = new Float32Array(48).map((_, i) => (i % 16 % 5 === 0 ? 1 : 0));
    const image = { width: 32, height: 32, data: new Uint8Array(3072).fill(90) };
    for (const hasSize of [true, false]) {
      const base = hasSize ? modelRoot(`${folder}/base`, 0) : withoutSize(`${folder}/base`);
      const openDevice = () => openOnnxDevice({ threads: 1 });
      const model = new ArworldModel({ id: "nano", base, causal: modelRoot(`${folder}/causal`, 0), openDevice });
      const [prepared, moved, again]: LoadedBytes[][] = [[], [], []];
      const note = (into: LoadedBytes[]) => ({ stage, loaded }: { stage: string; loaded?: LoadedBytes }) => {
        assert.equal(loaded !== undefined && stage === "loading", loaded !== undefined);
        if (loaded) into.push(loaded);
      };
      await model.prepare({ onProgress: note(prepared) });
      await model.begin(image, { width: 64, height: 32 });
      const request = { prompt: "a hall", seed: 1n, views };
      await model.generate(request, { onProgress: note(moved) });
      await model.generate(request, { onProgress: note(again) });
      await model.unload();
      const heard = hasSize ? prepared : moved;
      // What does not depend on a size is small.
      assert.deepEqual([hasSize ? moved.length : prepared.length, again.length], [hasSize ? 0 : 1, 0]);
      const shares = heard.map(({ done, total }) => done / total);
      assert.ok(heard.length > 5 && shares.at(-1)! > 0.5, `${heard.length}: ${shares.at(-1)}`);
      assert.deepEqual(shares, [...shares].sort((a, b) => a - b));
      assert.ok(heard.at(-1)!.secondsLeft! >= 0);
    }
  }));
