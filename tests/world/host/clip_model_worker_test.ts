import assert from "node:assert/strict";
import { test } from "node:test";
import { compileActions } from "../../../lib/models/actionworld/action_rows.ts";
import { ActionworldModel } from "../../../lib/models/actionworld/actionworld_model.ts";
import type { ClipModel, ClipRequest } from "../../../lib/models/world/clip_model.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { openClipModel } from "../../../lib/world/host/models/open_world_models.ts";
import { memoryRoot } from "../../support/tiny_arworld.ts";
import { tinyActionworld } from "../../support/tiny_actionworld.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { writeFiles } from "../../support/write_files.ts";

const SIZE = { width: 48, height: 32 };
const IMAGE = { ...SIZE, data: Uint8Array.from({ length: 48 * 32 * 3 }, (_, i) => (i * 7) % 200) };
const forward = { direction: [0, 0, 1], translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] } as const;
const REQUEST: ClipRequest = {
  prompt: "a hall",
  seed: 2n ** 63n,
  frames: 9,
  actions: compileActions(forward, 8),
  fps: 8,
  steps: 2,
  guidanceScale: 1,
  shift: 3,
};

async function assertAborts(model: ClipModel): Promise<void> {
  const abort = new AbortController();
  // So many steps that the word comes before the end.
  const clip = model.generate({ ...REQUEST, steps: 200 }, {
    signal: abort.signal,
    onProgress: () => abort.abort(new RangeError("enough")),
  });
  await assert.rejects(clip, { name: "RangeError", message: "enough" });
}

test("an actionworld in a worker shows what it shows here, part by part, and an abort leaves no trace", () =>
  withFolder(async (folder) => {
    const files = tinyActionworld();
    await writeFiles(folder, files);
    const here = new ActionworldModel({
      id: "tiny",
      snapshot: memoryRoot("tiny", files),
      openDevice: () => openOnnxDevice({ threads: 1 }),
    });
    await here.prepare();
    await here.begin(IMAGE, SIZE);
    const expected = await here.generate(REQUEST);
    await here.unload();

    const model = openClipModel({ id: "tiny", path: folder, device: "cpu", threads: 1 });
    const info = await model.prepare();
    assert.deepEqual([info.id, info.path, info.dtype], ["tiny", folder, "f32"]);
    await model.begin(IMAGE, SIZE);
    const start = await model.snapshot();
    await assertAborts(model);
    const stages: string[] = [];
    const parts: number[] = [];
    const clip = await model.generate(REQUEST, {
      onProgress: ({ stage, step }) => stages.push(`${stage} ${step}`),
      onFrames: ({ count }) => parts.push(count),
    });
    assert.deepEqual(clip, expected);
    assert.deepEqual(stages, ["denoising 0", "denoising 1", "decoding 2"]);
    assert.deepEqual(parts, [1, 4, 4]);
    await model.restore(start);
    assert.deepEqual(await model.generate(REQUEST), expected);
    await model.unload();
  }));

test("a worker names what a snapshot lacks", () =>
  withFolder(async (folder) => {
    const model = openClipModel({ id: "empty", path: folder, device: "cpu", threads: 1 });
    await assert.rejects(model.prepare(), { code: "model_invalid", message: /vae\/config\.json is missing/ });
    await model.unload();
  }));
