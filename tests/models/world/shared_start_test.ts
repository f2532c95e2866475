import assert from "node:assert/strict";
import { test } from "node:test";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { type Engine, SharedEngine } from "../../../lib/models/world/shared_engine.ts";

/** An engine whose starts wait, each for its turn. */
function slowEngine() {
  const starts: { signal: AbortSignal; done: () => void }[] = [];
  const device = { lost: new Promise<string>(() => {}) } as unknown as Device;
  const shared = new SharedEngine<Engine, { forget(): void }>(({ signal }) =>
    new Promise((resolve, reject) => {
      signal!.addEventListener("abort", () => reject(signal!.reason));
      starts.push({ signal: signal!, done: () => resolve({ device, dispose: () => Promise.resolve() }) });
    })
  );
  return { shared, starts };
}

const chain = (): { forget(): void } => ({ forget: () => {} });
const left = new Error("the client has left");

test("a cancelled start of an engine does not end the start that another client waits for", async () => {
  const { shared, starts } = slowEngine();
  const leaving = new AbortController();
  const first = shared.prepare(chain(), { signal: leaving.signal });
  const second = shared.prepare(chain(), { signal: new AbortController().signal });
  await Promise.resolve();
  leaving.abort(left);
  await assert.rejects(first, left);
  assert.equal(starts.length, 1);
  assert.equal(starts[0].signal.aborted, false);
  starts[0].done();
  assert.equal(await second, shared.running);
});

test("a start that all have left is given up, and the next one begins when that has ended", async () => {
  const { shared, starts } = slowEngine();
  const leaving = new AbortController();
  const both = [chain(), chain()].map((one) => shared.prepare(one, { signal: leaving.signal }));
  await Promise.resolve();
  leaving.abort(left);
  const third = shared.prepare(chain(), {});
  for (const one of both) await assert.rejects(one, left);
  while (starts.length < 2) await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(starts.map(({ signal }) => signal.aborted), [true, false]);
  starts[1].done();
  assert.equal(await third, shared.running);
});
