import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "../support/fake_clock.ts";
import { never, runtimeWithLog } from "../support/runtime_harness.ts";
import type { SvcError } from "../../lib/errors/svc_error.ts";

// @row model-api > States > unloaded, load: loaded, ready after preparation
test("row unloaded, load: the model is loaded, and ready after preparation", async () => {
  const { runtime, machine, model } = runtimeWithLog();
  machine.hold("a");
  const loading = runtime.load(model("a", 1), never);
  await settle();
  const [before] = (await runtime.status([])).models;
  assert.deepEqual([before?.loaded, before?.ready], [true, false]);
  machine.finish("a");
  const after = await loading;
  assert.deepEqual([after.loaded, after.ready, after.activeRequests], [true, true, 0]);
});

test("row loaded, load: nothing but a touch", async () => {
  const { runtime, clock, model, log } = runtimeWithLog();
  await runtime.load(model("a", 1), never);
  await clock.advance(5);
  const { lastAccess } = await runtime.load(model("a", 1), never);
  assert.equal(lastAccess, "2026-01-01T00:00:05.000Z");
  assert.equal(await log(), "start a, loaded a");
});

// @row model-api > States > loaded, unload without active requests: unloaded
test("row loaded, unload without active requests: unloaded", async () => {
  const { runtime, text, log } = runtimeWithLog();
  await text("a", 1);
  const { loaded, ready } = await runtime.unload("a", never);
  assert.deepEqual([loaded, ready], [false, undefined]);
  assert.equal(await log(), "start a, loaded a, use a, stop a");
  assert.equal((await runtime.unload("a", never)).loaded, false);
});

// @row model-api > States > loaded, unload with active requests: 409
test("row loaded, unload with active requests: 409 and it stays", async () => {
  const { runtime, text, end, loaded } = runtimeWithLog();
  const work = text("a", 1, { lasting: true });
  await settle();
  await assert.rejects(runtime.unload("a", never), (error: SvcError) => {
    assert.deepEqual([error.status, error.type, error.code], [409, "conflict_error", "model_in_use"]);
    assert.match(error.message, /^Cannot unload model a: it is in use by 1 active request, /);
    return true;
  });
  assert.equal(loaded(), "a");
  await end("a");
  await work;
});

test("row loaded, unload during preparation: the load is given up and its cleanup awaited", async () => {
  const { runtime, machine, text, log } = runtimeWithLog();
  machine.hold("a");
  const waiting = assert.rejects(text("a", 1), { code: "load_cancelled", status: 409 });
  await settle();
  assert.equal((await runtime.unload("a", never)).loaded, false);
  await waiting;
  assert.equal(await log(), "start a, gave up a");
});

// @row model-api > States > loaded, idle, not pinned, ttlSeconds expiry: unloaded
test("row loaded, idle, not pinned, ttlSeconds expiry: unloaded when the pool handles an operation", async () => {
  const { runtime, clock, settings, text, log, loaded } = runtimeWithLog();
  settings.set("a", { pinned: false, ttlSeconds: 10 });
  await text("a", 1);
  await clock.advance(9.999);
  await runtime.status([]);
  assert.equal(loaded(), "a");
  await clock.advance(0.001);
  assert.equal(loaded(), "a");
  await runtime.status([]);
  assert.equal(await log(), "start a, loaded a, use a, stop a");
});

// @row model-api > States > loaded, idle, not pinned, ttlSeconds expiry: unloaded
test("row loaded, ttlSeconds expiry: a pinned model, one in use and one without the setting stay", async () => {
  const { runtime, clock, settings, text, end, loaded } = runtimeWithLog();
  for (const id of ["pinned", "used"]) settings.set(id, { pinned: id === "pinned", ttlSeconds: 1 });
  await text("pinned", 1);
  await text("plain", 1);
  const work = text("used", 1, { lasting: true });
  await settle();
  await clock.advance(3600);
  await runtime.status([]);
  assert.equal(loaded(), "pinned plain used");
  await end("used");
  await work;
  assert.equal((await runtime.unload("pinned", never)).loaded, false);
});

test("row loaded, ttlSeconds expiry: a request for the model itself finds it loaded", async () => {
  const { clock, settings, text, log } = runtimeWithLog();
  settings.set("a", { pinned: false, ttlSeconds: 10 });
  await text("a", 1);
  await clock.advance(60);
  await text("a", 1);
  assert.equal(await log(), "start a, loaded a, use a, use a");
});

// @row model-api > States > sidecar resident, idle time to live of 300 seconds: released
test("row sidecar resident, idle time to live: released by its own timer after 300 seconds", async () => {
  const { runtime, clock, lane, loaded } = runtimeWithLog();
  await lane("speech", "tts", 1);
  await clock.advance(299.9);
  assert.equal(loaded(), "tts");
  await clock.advance(0.1);
  assert.equal(loaded(), "");
  const speech = (await runtime.status([])).sidecars.residents[1]!;
  assert.deepEqual([speech.evictionCount, speech.lastEvictionReason], [1, "ttl"]);
  assert.equal(clock.pending, 0);
});

// @row model-api > States > sidecar resident, idle time to live of 300 seconds: released
test("row sidecar resident, idle time to live: pinned and ttlSeconds are read again while it is idle", async () => {
  const { clock, settings, lane, loaded } = runtimeWithLog();
  settings.set("tts", { pinned: true });
  await lane("speech", "tts", 1);
  await clock.advance(3600);
  assert.equal(loaded(), "tts");
  settings.set("tts", { pinned: false, ttlSeconds: 7200 });
  await clock.advance(3500);
  assert.equal(loaded(), "tts");
  settings.set("tts", { pinned: false, ttlSeconds: 60 });
  await clock.advance(30);
  assert.equal(loaded(), "");
});

test("row sidecar resident, idle time to live: a request restarts the time", async () => {
  const { clock, lane, log, loaded } = runtimeWithLog();
  await lane("embedding", "e", 1);
  await clock.advance(200);
  await lane("embedding", "e", 1);
  await clock.advance(200);
  assert.equal(loaded(), "e");
  await clock.advance(100);
  assert.equal(await log(), "start e, loaded e, use e, use e, stop e");
});

// @row model-api > States > sidecar resident, another model in its lane: replaced
test("row sidecar resident, another model in its lane: the previous one is unloaded, then the next loaded", async () => {
  const { runtime, settings, lane, log } = runtimeWithLog();
  settings.set("one", { pinned: true });
  await lane("transcription", "one", 1);
  await lane("transcription", "two", 1);
  assert.equal(await log(), "start one, loaded one, use one, stop one, start two, loaded two, use two");
  const lane3 = (await runtime.status([])).sidecars.residents[2]!;
  assert.deepEqual([lane3.modelID, lane3.loadCount, lane3.replacementCount, lane3.evictionCount], ["two", 2, 1, 0]);
});

// @row model-api > States > idle unpinned text model, elevated pressure: evicted
test("row idle unpinned text model, elevated pressure: buffers first, then the least recently used one", async () => {
  const { runtime, machine, text, lane, log } = runtimeWithLog();
  for (const id of ["b", "a", "c"]) await text(id, 10);
  await lane("speech", "tts", 10);
  await log();
  machine.otherGib = 51;
  machine.trimmableGib = 3;
  await runtime.status([]);
  assert.equal(await log(), "trim b, trim a, trim c, trim tts, stop b");
  machine.otherGib = 61;
  machine.trimmableGib = 2;
  await runtime.status([]);
  assert.equal(await log(), "trim a, trim c, trim tts, stop a");
  machine.trimmableGib = 1;
  machine.otherGib = 69.5;
  assert.equal((await runtime.status([])).memory.pressure, "nominal");
  assert.equal(await log(), "trim c, trim tts");
});

// @row model-api > States > idle unpinned text model, elevated pressure: evicted
test("row idle unpinned text model, elevated pressure: extra concurrent admissions are paused", async () => {
  const { runtime, machine, text, end, log } = runtimeWithLog();
  const first = text("a", 10, { lasting: true });
  await settle();
  machine.otherGib = 80;
  const second = text("a", 10);
  await settle();
  const { admission } = await runtime.status([]);
  assert.deepEqual([admission.admissionPaused, admission.queuedRequests], [true, 1]);
  await end("a");
  await Promise.all([first, second]);
  assert.equal(await log(), "start a, loaded a, use a, use a, trim a, stop a");
});

// @row model-api > States > idle unpinned model, critical pressure: all evicted
test("row any idle unpinned model, critical pressure: all evicted", async () => {
  const { runtime, machine, settings, text, lane, loaded } = runtimeWithLog({ defaultModel: "default" });
  settings.set("pinned", { pinned: true });
  for (const id of ["default", "a", "b", "pinned"]) await text(id, 5);
  await lane("speech", "tts", 5);
  await lane("embedding", "e", 5);
  machine.otherGib = 65;
  const status = await runtime.status([]);
  assert.equal(loaded(), "default pinned");
  const reasons = status.sidecars.residents.map(({ lastEvictionReason }) => lastEvictionReason);
  assert.deepEqual(reasons, [undefined, "memory_pressure", undefined, "memory_pressure", undefined, undefined]);
});

// @row model-api > States > active, queued or pinned resident, memory pressure: stays
test("row active, queued or pinned resident, memory pressure: stays", async () => {
  const { runtime, machine, settings, text, lane, end, loaded } = runtimeWithLog({ maxActiveRequests: 2 });
  settings.set("pinned", { pinned: true });
  for (const id of ["queued", "pinned", "idle"]) await text(id, 5);
  const work = [text("active", 5, { lasting: true }), lane("speech", "tts", 5, { lasting: true })];
  await settle();
  const queued = text("queued", 5);
  await settle();
  machine.otherGib = 90;
  await runtime.status([]);
  assert.equal(loaded(), "active pinned queued tts");
  machine.otherGib = 0;
  await end("active");
  await end("tts");
  await Promise.all([...work, queued]);
});

// @row model-api > Engine behavior > 2: memory is sampled before and after each operation
test("critical pressure takes the model of a request that has just ended", async () => {
  const { machine, lane, end, loaded } = runtimeWithLog();
  const work = lane("image", "draw", 5, { lasting: true });
  await settle();
  machine.otherGib = 95;
  await end("draw");
  await work;
  assert.equal(loaded(), "");
});
