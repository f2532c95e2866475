import { test } from "node:test";
import assert from "node:assert/strict";
import { openTestDevice } from "../../support/webgpu_device.ts";
import { filmPsnr, walkCorridor } from "./half_worlds.ts";

test("a block of corridor-nano in 16-bit floats shows what it shows in 32-bit floats", async (t) => {
  const half = await openTestDevice("f16");
  if (typeof half === "string") return t.skip(half);
  const size = { width: 128, height: 64 };
  const film = await walkCorridor(half, 1, size);
  const whole = await openTestDevice("f32");
  assert.ok(typeof whole !== "string", String(whole));
  const truth = await walkCorridor(whole, 1, size);
  const decibels = filmPsnr(film.frames, truth.frames);
  // Less than what was measured (docs/gpu/half-precision.md), and far more than an encoder of video keeps.
  assert.ok(decibels > 50, `${decibels} dB`);
  assert.ok(decibels < Infinity, "two devices of different precision give different frames");
});
