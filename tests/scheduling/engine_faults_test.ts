import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "../support/fake_clock.ts";
import { runtimeWithLog } from "../support/runtime_harness.ts";

test("two requests for one model load it once", async () => {
  const { machine, text, log } = runtimeWithLog();
  machine.hold("a");
  const work = [text("a", 1), text("a", 1)];
  await settle();
  machine.finish("a");
  await Promise.all(work);
  assert.equal(await log(), "start a, loaded a, use a, use a");
});

test("a request that comes while a given-up load is cleaned up waits for that, then loads again", async () => {
  const { machine, text, log } = runtimeWithLog();
  machine.hold("a");
  const abort = new AbortController();
  const gone = assert.rejects(text("a", 1, { signal: abort.signal }), /gone/);
  await settle();
  abort.abort(new Error("gone"));
  const next = text("a", 1);
  await settle();
  machine.finish("a");
  await Promise.all([gone, next]);
  assert.equal(await log(), "start a, gave up a, start a, loaded a, use a");
});

test("a load that fails fails its request and is tried again by the next one", async () => {
  const { runtime, machine, text, lane, loaded } = runtimeWithLog();
  machine.broken.add("a").add("s");
  for (const load of [() => text("a", 1), () => lane("speech", "s", 1)]) {
    await assert.rejects(load(), { code: "model_unavailable", status: 503 });
  }
  const failed = await runtime.status([]);
  assert.match(failed.models[0]?.lastError ?? "", /^Cannot load model a: its engine failed to start/);
  assert.deepEqual([failed.sidecars.residents[1]?.failedRequests, failed.sidecars.loadedCount], [1, 0]);
  machine.broken.clear();
  await text("a", 1);
  await lane("speech", "s", 1);
  assert.equal(loaded(), "a s");
  assert.equal((await runtime.status([])).models[0]?.lastError, undefined);
});

test("an engine that crashes fails its requests, and the next one reloads it", async () => {
  const { runtime, machine, text, lane, log } = runtimeWithLog();
  const work = [
    assert.rejects(text("a", 1, { lasting: true }), { code: "engine_crashed", status: 500 }),
    assert.rejects(lane("speech", "s", 1, { lasting: true }), { code: "engine_crashed" }),
  ];
  await settle();
  for (const engine of [...machine.engines.values()]) engine.crash("died");
  await Promise.all(work);
  await settle();
  assert.match((await runtime.status([])).models[0]?.lastError ?? "", /engine of model a has crashed/);
  await text("a", 1);
  await lane("speech", "s", 1);
  assert.match(await log(), /died a, died s, start a, loaded a, use a, start s, loaded s, use s$/);
});

test("an engine of a lane that crashes at any moment is never loaded twice", async () => {
  const ends = new Set<string>();
  for (let delay = 0; delay < 60; delay++) {
    const { machine, lane, end } = runtimeWithLog();
    await lane("embedding", "e", 1);
    const image = lane("image", "i", 1, { lasting: true });
    await settle();
    const work = [1, 2].map(() => lane("embedding", "e", 1).then(() => "done", ({ code }) => code));
    await settle();
    const ending = end("i");
    for (let turn = 0; turn < delay; turn++) await Promise.resolve();
    machine.engines.get("e")?.crash("died");
    await Promise.all([image, ending]);
    for (const end of await Promise.all(work)) ends.add(end);
    await lane("embedding", "e", 1);
    assert.deepEqual([...machine.engines.keys()].sort(), ["e", "i"], `after ${delay} turns`);
  }
  assert.deepEqual([...ends].sort(), ["done", "engine_crashed"]);
});
