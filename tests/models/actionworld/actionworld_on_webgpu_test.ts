import { test } from "node:test";
import assert from "node:assert/strict";
import { compileActions } from "../../../lib/models/actionworld/action_rows.ts";
import { ActionworldModel } from "../../../lib/models/actionworld/actionworld_model.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { tinyActionworld } from "../../support/tiny_actionworld.ts";
import { memoryRoot } from "../../support/tiny_arworld.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

const image = { width: 32, height: 32, data: Uint8Array.from({ length: 3072 }, (_, i) => (i * 37) % 256) };
const turn = { direction: [0, 0, 1], translationMeters: [0, 0, 1], rotationDegrees: [0, 4, 0] } as const;
const request = { prompt: "a hall", frames: 5, actions: compileActions(turn, 4), fps: 8, steps: 2, shift: 3 };

/** Moves twice, returns to after the first move and makes the second once more. */
async function walk(openDevice: () => Promise<Device>): Promise<Uint8Array[]> {
  const model = new ActionworldModel({ id: "tiny", snapshot: memoryRoot("tiny", tinyActionworld()), openDevice });
  await model.prepare();
  await model.begin(image, { width: 48, height: 32 });
  const move = async (seed: bigint, guidanceScale: number) =>
    (await model.generate({ ...request, seed, guidanceScale })).data;
  const films = [await move(0n, 1)];
  const kept = await model.snapshot();
  films.push(await move(1n, 2));
  await model.restore(kept);
  films.push(await move(1n, 2));
  await model.unload();
  return films;
}

test("ActionworldModel shows on WebGPU what it shows on the CPU, and continues a kept state bit for bit", async (t) => {
  const device = await openTestDevice();
  if (typeof device === "string") return t.skip(device);
  const onGpu = await walk(() => Promise.resolve(device));
  const onCpu = await walk(() => openOnnxDevice());
  assert.deepEqual(onGpu[2], onGpu[1]);
  for (const [i, film] of onGpu.entries()) {
    film.forEach((value, at) => assert.ok(Math.abs(value - onCpu[i][at]) <= 1, `film ${i}: ${value}, ${onCpu[i][at]}`));
  }
});
