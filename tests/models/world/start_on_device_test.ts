import assert from "node:assert/strict";
import { test } from "node:test";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { startOnDevice } from "../../../lib/models/world/start_on_device.ts";

/** Devices of which only `works` starts a model; what happens is listed. */
function devices(...labels: string[]) {
  const events: string[] = [];
  const device = (label: string) => ({ label, dispose: () => events.push(`dispose ${label}`) }) as unknown as Device;
  const left = [...labels];
  const next = () => Promise.resolve(left.length > 0 ? device(left.shift()!) : undefined);
  return {
    events,
    openDevice: async () => (await next())!,
    fallback: ({ label }: Device, error: unknown) => {
      events.push(`${label}: ${(error as Error).message}`);
      return next();
    },
  };
}

const failing = (error: Error) => ({ label }: Device) =>
  label === "works" ? Promise.resolve(`started on ${label}`) : Promise.reject(error);

test("startOnDevice() tries one device after another until one starts", async () => {
  const given = devices("first", "second", "works", "unused");
  assert.equal(await startOnDevice(given, failing(new Error("no memory"))), "started on works");
  assert.deepEqual(given.events, ["dispose first", "first: no memory", "dispose second", "second: no memory"]);
});

test("startOnDevice() fails as its last device does, or its only one", async () => {
  const error = new SvcError("device_lost", "gone");
  const given = devices("first", "second");
  await assert.rejects(startOnDevice(given, failing(error)), error);
  assert.deepEqual(given.events, ["dispose first", "first: gone", "dispose second", "second: gone"]);
  const { openDevice, events } = devices("first", "works");
  await assert.rejects(startOnDevice({ openDevice }, failing(error)), error);
  assert.deepEqual(events, ["dispose first"]);
});

test("startOnDevice() tries no other device for files that are wrong or a start that was cancelled", async () => {
  const wrong = new SvcError("model_invalid", "a tensor is missing");
  const given = devices("first", "works");
  await assert.rejects(startOnDevice(given, failing(wrong)), wrong);
  const again = devices("first", "works");
  await assert.rejects(startOnDevice(again, failing(new Error("cancelled")), AbortSignal.abort()), /cancelled/);
  assert.deepEqual([given.events, again.events], [["dispose first"], ["dispose first"]]);
});
