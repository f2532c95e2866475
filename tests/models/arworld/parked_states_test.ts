import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { stateParking } from "../../../lib/world/host/arworld_files.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import { chunkRelativeViews, latentViews } from "../../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import type { ParkingLimits, StateFiles } from "../../../lib/models/arworld/sampling/parked_states.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";

const views = chunkRelativeViews(
  latentViews({ steps: [stepOfKeys("wj")], weights: [1], latentFrames: 15, speed: 1.5 }),
);
const image = { width: 32, height: 32, data: Uint8Array.from({ length: 3072 }, (_, i) => (i * 37) % 256) };

/** A device whose memory is not the machine's, as far as its callers can see. */
async function deviceElsewhere(): Promise<Device> {
  const device = await openOnnxDevice({ threads: 1 });
  return new Proxy(device, {
    get(target, key) {
      if (key === "kind") return "webgpu";
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith(".state"));
}

/** Walks four blocks with a snapshot before each, then returns to all of them in some order. */
async function walk(parking: Partial<ParkingLimits>, openDevice: () => Promise<Device> = deviceElsewhere) {
  const { base, causal } = tinyArworld();
  const device = await openDevice();
  const model = new ArworldModel({
    ...{ id: "tiny", base: memoryRoot("base", base), causal: memoryRoot("causal", causal), parking },
    openDevice: () => Promise.resolve(device),
  });
  await model.prepare();
  await model.begin(image, { width: 64, height: 32 });
  const block = (i: number) =>
    model.generate({ prompt: "red hall", seed: BigInt(i), views: views.subarray(48 * i, 48 * i + 48) });
  const ids: number[] = [];
  const films: Uint8Array[] = [];
  for (let i = 0; i < 4; i++) {
    films.push((await block(i)).data);
    ids.push(await model.snapshot());
  }
  const held = device.memory().allocated;
  const again: Uint8Array[] = [];
  for (const i of [1, 0, 2, 1]) {
    await model.restore(ids[i]);
    again.push((await block(i + 1)).data);
    await model.release(await model.snapshot());
  }
  const exported = await model.exportState(ids[0]);
  return { model, films, again, held, exported, ids };
}

test("kept states leave the device for memory and files, and come back bit for bit", () =>
  withFolder(async (folder) => {
    const apart = await walk({});
    const files = stateParking(folder);
    const parked = await walk({ deviceBytes: 0, hostBytes: 0, files });
    assert.deepEqual(parked.films, apart.films);
    assert.deepEqual(parked.again, [1, 0, 2, 1].map((i) => apart.films[i + 1]));
    assert.deepEqual(parked.exported, apart.exported);
    assert.ok(parked.held < apart.held, `${parked.held} bytes on the device, ${apart.held} without parking`);
    assert.ok(filesIn(folder).length > 0);
    for (const id of parked.ids) await parked.model.release(id);
    // Files are removed in the background.
    for (let i = 0; i < 500 && filesIn(folder).length > 0; i++) await new Promise((next) => setTimeout(next, 10));
    assert.deepEqual(filesIn(folder), []);
    await Promise.all([apart.model.unload(), parked.model.unload()]);

    const inMemory = await walk({ deviceBytes: 0 });
    assert.deepEqual(inMemory.again, parked.again);
    await inMemory.model.unload();
  }));

test("kept states leave the CPU's memory for files beyond a limit, and come back bit for bit", () =>
  withFolder(async (folder) => {
    const onCpu = () => openOnnxDevice({ threads: 1 });
    const files = stateParking(folder);
    const apart = await walk({ files }, onCpu);
    assert.deepEqual(filesIn(folder), []); // there is room for states as small as these
    const parked = await walk({ cpuBytes: 0, files }, onCpu);
    assert.ok(filesIn(folder).length > 0);
    assert.ok(parked.held < apart.held, `${parked.held} bytes in memory, ${apart.held} without files`);
    let [written, rest] = [0, 20];
    const full: StateFiles = {
      async write(bytes) {
        if (rest-- <= 0) throw Object.assign(new Error("no space left on the device"), { code: "ENOSPC" });
        written++;
        return await files.write(bytes);
      },
    };
    const onFullDisk = await walk({ cpuBytes: 0, files: full }, onCpu);
    assert.equal(written, 20);
    for (const { films, again, exported } of [parked, onFullDisk]) {
      assert.deepEqual(films, apart.films);
      assert.deepEqual(again, [1, 0, 2, 1].map((i) => apart.films[i + 1]));
      assert.deepEqual(exported, apart.exported);
    }
    await Promise.all([apart, parked, onFullDisk].map(({ model }) => model.unload()));
    for (let i = 0; i < 500 && filesIn(folder).length > 0; i++) await new Promise((next) => setTimeout(next, 10));
    assert.deepEqual(filesIn(folder), []);
  }));
