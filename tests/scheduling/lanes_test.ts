import assert from "node:assert/strict";
import { test } from "node:test";
import { settle } from "../support/fake_clock.ts";
import { runtimeWithLog } from "../support/runtime_harness.ts";

// @row model-api > States > one lane for each kind of sidecar
// @row model-api > Engine behavior > 2: cold sidecar operations are exclusive
test("cold sidecar operations are alone, warm ones run side by side, images always alone", async () => {
  const { lane, end, log } = runtimeWithLog({ maxActiveRequests: 10 });
  await lane("embedding", "e", 1);
  await log();
  const work = [
    lane("embedding", "e", 1, { lasting: true }),
    lane("speech", "s", 1, { lasting: true }),
    lane("embedding", "e", 1),
    lane("speech", "s", 1),
    lane("image", "i", 1, { lasting: true }),
  ];
  assert.equal(await log(), "use e");
  await end("e");
  assert.equal(await log(), "start s, loaded s, use s");
  await end("s");
  assert.equal(await log(), "use e, use s, start i, loaded i, use i");
  const warm = lane("speech", "s", 1);
  assert.equal(await log(), "");
  await end("i");
  await Promise.all([...work, warm]);
  assert.equal(await log(), "use s");
});

test("two requests for one cold sidecar model load it once", async () => {
  const { lane, log } = runtimeWithLog();
  await Promise.all([lane("speech", "s", 1), lane("speech", "s", 1)]);
  assert.equal(await log(), "start s, loaded s, use s, use s");
});

test("a client that leaves a lane while it waits is no longer counted", async () => {
  const { runtime, lane, end } = runtimeWithLog();
  const first = lane("image", "i", 1, { lasting: true });
  await settle();
  const abort = new AbortController();
  const gone = assert.rejects(lane("image", "i", 1, { signal: abort.signal }), /gone/);
  await settle();
  assert.equal((await runtime.status([])).sidecars.queuedRequests, 1);
  abort.abort(new Error("gone"));
  await gone;
  const image = (await runtime.status([])).sidecars.residents[0]!;
  assert.deepEqual([image.activeRequests, image.queuedRequests], [1, 0]);
  await end("i");
  await first;
});
