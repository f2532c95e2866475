import assert from "node:assert/strict";
import { test } from "node:test";
import { lacksRoom, logTiles, modelDevices } from "../../../lib/world/host/models/model_devices.ts";
import type { DescribedWorld } from "../../../lib/world/plan/described_world.ts";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import type { Log } from "../../../lib/platform/processes/log.ts";

/** A world that takes so many bytes on the CPU. */
const world = (bytes: number) => () =>
  Promise.resolve({ cpu: () => Promise.resolve(bytes) } as unknown as DescribedWorld);
const gpu = { label: "A GPU (Dawn, f16, portable tiles)", kind: "webgpu" } as Device;
const error = new Error("out of memory");

test("modelDevices() falls back from a GPU to a CPU that has room, and logs why", async () => {
  const events: unknown[] = [];
  const settings = { id: "hall", device: "auto", threads: 1 } as const;
  const log = (...event: unknown[]) => void events.push(event);
  const opened = await modelDevices(settings, world(1000), log).fallback!(gpu, error);
  assert.equal(opened?.label, "cpu (1 thread)");
  opened.dispose();
  assert.equal(await modelDevices(settings, world(1e15), log).fallback!(gpu, error), undefined);
  const failed = ["warn", "device_failed", {
    model: "hall",
    device: "A GPU (Dawn, f16, portable tiles)",
    reason: "out of memory",
  }];
  assert.deepEqual(events, [failed, failed]);
  assert.equal(await modelDevices(settings, world(1000), log).fallback!(opened, error), undefined);
  assert.equal(events.length, 2);
});

test("modelDevices() does not replace a device that was asked for", async () => {
  const settings = { id: "hall", device: "webgpu" } as const;
  const log = () => assert.fail("nothing was tried");
  assert.equal(await modelDevices(settings, world(1000), log).fallback!(gpu, error), undefined);
});

test("lacksRoom() compares what the world needs on this device with what it has", async () => {
  const plan = (_: unknown, device: string) => Promise.resolve(device.startsWith("cuda") ? 4e9 : 2e9);
  const room = (most: number | undefined) => () => Promise.resolve(most && { held: 0, free: most, most });
  const cuda = { label: "cuda (ONNX Runtime)" } as Device;
  assert.equal(
    await lacksRoom({ plan, room: room(3e9) as never })(cuda),
    "it has 2.8 GiB of memory, the world needs 3.8 GiB",
  );
  assert.equal(await lacksRoom({ plan, room: room(3e9) as never })(gpu), undefined);
  assert.equal(await lacksRoom({ plan, room: room(undefined) as never })(cuda), undefined);
});

test("logTiles() says what a GPU computes products with and why not better, and nothing of the CPU", () => {
  const lines: unknown[] = [];
  const log: Log = (...line) => void lines.push(line);
  logTiles({ label: "cpu (2 threads)" }, "hall", log);
  logTiles({ label: "A", tiles: { kind: "16x16 matrices" } }, "hall", log);
  logTiles({ label: "B", tiles: { kind: "portable tiles", reason: "refused" } }, "hall", log);
  assert.deepEqual(lines, [
    ["info", "device_opened", { model: "hall", device: "A", tiles: "16x16 matrices" }],
    ["info", "device_opened", { model: "hall", device: "B", tiles: "portable tiles", reason: "refused" }],
  ]);
});
