import assert from "node:assert/strict";
import { test } from "node:test";
import type { SvcError } from "../../../lib/errors/svc_error.ts";
import { admitSize, type SessionMemory } from "../../../lib/world/session/session_memory.ts";
import { SESSION, UPLOAD, withSession } from "../../support/with_world.ts";

/** A machine where each pixel needs a byte. */
function memoryOf(room: { held: number; free: number; most: number } | undefined): SessionMemory {
  return {
    unit: 32,
    plan: ({ width, height }) => Promise.resolve(width * height),
    chain: ({ width, height }) => Promise.resolve(width * height / 2),
    room: () => Promise.resolve(room),
  };
}

const large = { width: 1280, height: 704, frames: 12 };

test("admitSize() accepts what fits, and everything on a GPU", async () => {
  await admitSize(memoryOf({ held: 0, free: 1280 * 704, most: 1e6 }), "cpu", "start a rollout", large);
  await admitSize(memoryOf({ held: 1280 * 704, free: 0, most: 1e6 }), "cpu", "start a rollout", large);
  await admitSize(memoryOf(undefined), "NVIDIA", "start a rollout", large);
});

test("admitSize() refuses what can never fit and what does not fit now, naming a size that does", async () => {
  const refused =
    (room: { held: number; free: number; most: number }) => (error: Partial<Record<keyof SvcError, unknown>>) =>
      assert.rejects(admitSize(memoryOf(room), "cpu", "start a rollout", large), error);
  await refused({ held: 0, free: 5e5, most: 5e5 })({
    status: 400,
    code: "size_exceeds_memory",
    param: "width",
    message:
      "Cannot start a rollout: frames of 1280x704 need about 880 KiB of memory, 488.3 KiB is all there can be; " +
      "896x480 fits",
  });
  await refused({ held: 1e5, free: 2e5, most: 1e6 })({
    status: 503,
    code: "memory_pressure",
    message: "Cannot start a rollout: frames of 1280x704 need about 880 KiB of memory, 293 KiB is all there is now; " +
      "640x352 fits, or end other programs and try again",
  });
  await refused({ held: 0, free: 10, most: 10 })({
    code: "size_exceeds_memory",
    message: /; no smaller size fits either$/,
  });
});

// @row world-session > Errors > Frames that need more memory than there is: 400 or 503 with a size that fits, before a job
test("a move whose frames need too much memory is refused before it becomes a job", async () => {
  const room = { held: 0, free: 64 * 32, most: 1e6 };
  await withSession(async (h) => {
    const start = (width: number, height: number) =>
      h.call("POST", `${SESSION}/rollouts`, {
        json: { prompt: "a hall", action_seq: ["w"], num_output_frames: 3, width, height },
      });
    await h.call("POST", `${SESSION}/source`, UPLOAD);
    const busy = await start(128, 64);
    assert.equal(busy.status, 503);
    assert.ok(Number(busy.headers.get("retry-after")) > 0);
    assert.match(await busy.text(), /64x32 fits.*memory_pressure/);
    room.most = 64 * 32;
    const never = await start(128, 64);
    assert.equal(never.status, 400);
    assert.match(await never.text(), /size_exceeds_memory/);
    assert.equal((await start(64, 32)).status, 202);
  }, { memory: memoryOf(room) });
});
