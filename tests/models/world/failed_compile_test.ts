import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { ActionworldEngine } from "../../../lib/models/actionworld/actionworld_engine.ts";
import { loadActionworld } from "../../../lib/models/actionworld/loader.ts";
import { ArworldEngine } from "../../../lib/models/arworld/arworld_engine.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { tinyActionworld } from "../../support/tiny_actionworld.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";

const engines = {
  arworld: async (device: Device) => {
    const { base, causal } = tinyArworld();
    return await ArworldEngine.start(device, await loadArworld(memoryRoot("base", base), memoryRoot("causal", causal)));
  },
  actionworld: async (device: Device) =>
    new ActionworldEngine(device, await loadActionworld(memoryRoot("tiny", tinyActionworld()))),
};

for (const [kind, start] of Object.entries(engines)) {
  test(`programs of an ${kind} that cannot all be compiled leave nothing, and are compiled when asked for again`, async () => {
    const device = await openOnnxDevice({ threads: 1 });
    const engine = await start(device);
    const held = device.memory().allocated;
    const compile = device.compile.bind(device);
    let [left, refusals] = [0, 0];
    device.compile = async (graph) => {
      if (left-- === 0) throw new Error("there is no memory for it");
      return await compile(graph);
    };
    for (let compiled = 0;; compiled++) {
      left = compiled;
      const error = await engine.programs({ width: 64, height: 32 }).then(() => undefined, (error) => error);
      if (error === undefined) break;
      assert.match(error.message, /there is no memory for it/);
      await new Promise((resolve) => setTimeout(resolve));
      assert.equal(device.memory().allocated, held, `after ${compiled} programs`);
      refusals++;
    }
    assert.ok(refusals >= 3);
    await engine.dispose();
  });
}
