import assert from "node:assert/strict";
import { test } from "node:test";
import { GIB } from "../../lib/scheduling/memory/memory_limits.ts";
import { settle } from "../support/fake_clock.ts";
import { never, runtimeWithLog } from "../support/runtime_harness.ts";

test("close() lets requests end, then stops every engine", async () => {
  const { runtime, text, lane, end, log } = runtimeWithLog();
  await lane("speech", "s", 1);
  const work = text("a", 1, { lasting: true });
  await log();
  const closing = runtime.close(never);
  await assert.rejects(text("b", 1), { code: "server_stopping" });
  assert.equal(await log(), "");
  await end("a");
  await work;
  await closing;
  assert.equal(await log(), "stop a, stop s");
});

test("close() ends requests that hang, loads under way and waiting ones at its deadline", async () => {
  const { runtime, machine, text, lane, clock } = runtimeWithLog({ maxActiveRequests: 3 });
  machine.hold("b");
  const work = [
    text("a", 1, { lasting: true }),
    text("b", 1),
    lane("image", "i", 1, { lasting: true }),
    lane("image", "i", 1),
  ].map((request) => assert.rejects(request, { code: "server_stopping" }));
  await settle();
  const deadline = new AbortController();
  const closing = runtime.close(deadline.signal);
  await settle();
  deadline.abort();
  await Promise.all([...work, closing]);
  assert.deepEqual([machine.engines.size, clock.pending], [0, 0]);
});

// @row model-api > Runtime status > `memory`
test("status() answers while a request holds the only slot, and lists what it is asked for", async () => {
  const { runtime, machine, settings, text, end } = runtimeWithLog({ maxActiveRequests: 1, defaultModel: "d" });
  settings.set("a", { pinned: true, ttlSeconds: 9 });
  machine.otherGib = 8;
  const work = text("a", 2, { lasting: true });
  await settle();
  const status = await runtime.status(["x", "a"]);
  assert.deepEqual(status.models, [
    {
      id: "a",
      loaded: true,
      ready: true,
      activeRequests: 1,
      lastAccess: "2026-01-01T00:00:01.000Z",
      pinned: true,
      ttlSeconds: 9,
    },
    { id: "d", loaded: false, activeRequests: 0, pinned: false },
    { id: "x", loaded: false, activeRequests: 0, pinned: false },
  ]);
  assert.deepEqual(status.memory, {
    physicalBytes: 1000 * GIB,
    currentBytes: 10 * GIB,
    ceilingBytes: 100 * GIB,
    softLimitBytes: 90 * GIB,
    hardLimitBytes: 95 * GIB,
    activeRequests: 1,
    activeModelCount: 1,
    guardTier: "custom",
    pressure: "nominal",
  });
  assert.deepEqual([status.defaultModel, status.activeRequests], ["d", 1]);
  assert.equal(status.admission.activeRequestDetails[0]?.phase, "prefill");
  assert.deepEqual(status.sidecars.residents.map(({ kind }) => kind), [
    "image",
    "speech",
    "transcription",
    "embedding",
    "rerank",
    "vision",
  ]);
  await end("a");
  await work;
});
