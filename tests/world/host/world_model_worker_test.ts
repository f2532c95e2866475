import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorldModel } from "../../../lib/models/world/world_model.ts";
import { locateModel } from "../../../lib/app/world/model_location.ts";
import { planRollout } from "../../../lib/world/protocol/move_plan.ts";
import { openWorldModel } from "../../../lib/world/host/models/open_world_models.ts";
import { smallCorridor } from "../../support/small_corridor.ts";

const SIZE = { width: 96, height: 64 };
const IMAGE = { ...SIZE, data: Uint8Array.from({ length: 96 * 64 * 3 }, (_, i) => (i * 7) % 200) };
const [{ views }] = planRollout({ actions: ["w"], weights: [1], latentFrames: 3, speed: 1.5 }).blocks;
const REQUEST = { prompt: "a corridor", seed: 42n, views };

test("the embedded world in a worker: abort leaves no trace, and a killed worker is replaced", async () => {
  const { id, path, basePath } = await locateModel({ model: smallCorridor() });
  const model = openWorldModel({ id, path, basePath, device: "cpu", threads: 1 });
  const info = await model.prepare();
  assert.deepEqual([info.id, info.path, info.dtype], [id, path, "f32"]);
  await model.begin(IMAGE, SIZE);
  const start = await model.snapshot();
  const first = await model.generate(REQUEST);
  assert.equal(first.count, 9);

  await model.restore(start);
  await assertAborts(model);
  assert.deepEqual(await model.generate(REQUEST), first);

  const killed = model.generate(REQUEST, { onProgress: () => void model.terminate() });
  await assert.rejects(killed, { code: "model_worker_died" });
  await assert.rejects(model.snapshot(), { code: "model_worker_died" });
  await model.prepare();
  await model.begin(IMAGE, SIZE);
  assert.deepEqual(await model.generate(REQUEST), first);
  await model.unload();
});

async function assertAborts(model: WorldModel): Promise<void> {
  const abort = new AbortController();
  const block = model.generate(REQUEST, { signal: abort.signal });
  // At once: a word that waited for the progress of so small a block could come after its last pass.
  abort.abort(new RangeError("enough"));
  await assert.rejects(block, { name: "RangeError", message: "enough" });
}

test("a worker reports errors of a model", async () => {
  const { id, path } = await locateModel({ model: smallCorridor() });
  const model = openWorldModel({ id, path, basePath: path, device: "cpu", threads: 1 });
  await assert.rejects(model.prepare(), { code: "model_invalid", message: /vae\.safetensors is missing/ });
  await model.unload();
});
