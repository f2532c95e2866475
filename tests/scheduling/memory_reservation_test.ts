import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "../support/fake_clock.ts";
import { never, runtimeWithLog } from "../support/runtime_harness.ts";
import type { SvcError } from "../../lib/errors/svc_error.ts";

// @row model-api > States > before a sidecar load: idle text models first, then sidecars, oldest first
test("before a sidecar load idle text models go first, one at a time, then sidecars, oldest first", async () => {
  const { machine, text, lane, log } = runtimeWithLog({ defaultModel: "b" });
  await lane("embedding", "e", 20);
  await lane("speech", "s", 20);
  for (const id of ["b", "a"]) await text(id, 20);
  await log();
  await lane("transcription", "t", 20);
  assert.equal(await log(), "stop b, start t, loaded t, use t");
  machine.otherGib = 30;
  machine.log.length = 0;
  await lane("image", "i", 39);
  assert.equal(await log(), "stop a, stop e, stop s, stop t, start i, loaded i, use i");
});

test("before a load on a GPU idle models on it make room, and none where that is of no use", async () => {
  const { machine, runtime, settings, text, end, log } = runtimeWithLog({ deviceGib: 40 });
  const held = async () => {
    const { deviceBytes, deviceModelBytes } = (await runtime.status([])).memory;
    return [deviceBytes! / 2 ** 30, deviceModelBytes! / 2 ** 30];
  };
  await text("host", 5);
  machine.device = "cuda";
  await text("a", 14);
  await text("b", 14);
  assert.deepEqual(await held(), [40, 28]);
  await log();
  await text("c", 9);
  assert.equal(await log(), "stop a, start c, loaded c, use c", "the CPU's stays");
  assert.deepEqual(await held(), [40, 23]);
  settings.set("b", { pinned: true });
  const working = text("c", 9, { lasting: true });
  await log();
  await text("d", 14);
  assert.equal(await log(), "start d, loaded d, use d", "its library finds another place");
  await text("e", 37);
  assert.doesNotMatch(await log(), /stop/, "too large even alone");
  await end("c");
  await working;
  assert.equal((await runtimeWithLog().runtime.status([])).memory.deviceBytes, undefined);
});

test("before a load memory is sampled after each model that goes, and no more go than need to", async () => {
  const { text, log } = runtimeWithLog();
  for (const id of ["a", "b", "c", "d"]) await text(id, 20);
  await log();
  await text("e", 29);
  assert.equal(await log(), "stop a, start e, loaded e, use e");
});

test("before a text load sidecars go under critical pressure only", async () => {
  const { text, lane, log } = runtimeWithLog();
  await lane("speech", "s", 20);
  await log();
  await text("a", 70);
  assert.equal(await log(), "start a, loaded a, use a, trim a, trim s, stop a");
  await text("b", 75);
  assert.equal(await log(), "stop s, start b, loaded b, use b");
});

// @row model-api > States > before a sidecar load: idle text models first, then sidecars, oldest first
test("a load that finds no room fails with what is missing and unloads nothing that must stay", async () => {
  const { machine, runtime, settings, text, lane, loaded } = runtimeWithLog();
  settings.set("pinned", { pinned: true });
  await text("pinned", 40);
  await text("idle", 5);
  machine.otherGib = 10;
  for (const load of [() => lane("image", "i", 50.5), () => text("t", 50.5)]) {
    await assert.rejects(load(), (error: SvcError) => {
      assert.deepEqual([error.status, error.type, error.code], [503, "memory_pressure_error", "memory_pressure"]);
      assert.match(
        error.message,
        /^Cannot load model [it]: it needs 50\.5 GiB, 5\.6 GiB more than the memory guard \(custom\) can give/,
      );
      return true;
    });
  }
  assert.equal(loaded(), "pinned");
  assert.match((await runtime.status([])).models.find(({ id }) => id === "t")?.lastError ?? "", /5\.6 GiB more/);
});

test("an operation that needs memory beside its warm model makes room, too, and fails without", async () => {
  const { machine, text, lane, log } = runtimeWithLog();
  await lane("image", "i", 10, { workGib: 20 });
  await text("a", 10);
  machine.otherGib = 55;
  await log();
  await lane("image", "i", 10, { workGib: 20 });
  assert.equal(await log(), "stop a, use i");
  machine.otherGib = 70;
  await assert.rejects(lane("image", "i", 10, { workGib: 20 }), { code: "memory_pressure" });
});

test("a load that does not fit beside another one under way waits for the end of that", async () => {
  const { machine, runtime, model, loaded } = runtimeWithLog();
  machine.hold("a");
  const abort = new AbortController();
  const first = assert.rejects(runtime.load(model("a", 60), abort.signal), /gone/);
  await settle();
  const second = runtime.load(model("b", 60), never);
  await settle();
  assert.deepEqual(machine.log, ["start a"]);
  abort.abort(new Error("gone"));
  await Promise.all([first, second]);
  assert.deepEqual([loaded(), machine.log], ["b", ["start a", "gave up a", "start b", "loaded b"]]);
});

test("a client that disconnects while its load waits for room leaves no promise behind", async () => {
  const { machine, runtime, model, loaded } = runtimeWithLog();
  machine.hold("a");
  const first = runtime.load(model("a", 60), never);
  await settle();
  const abort = new AbortController();
  const second = assert.rejects(runtime.load(model("b", 60), abort.signal), /gone/);
  await settle();
  abort.abort(new Error("gone"));
  await second;
  machine.finish("a");
  await first;
  await runtime.load(model("c", 29), never);
  assert.equal(loaded(), "a c");
});
