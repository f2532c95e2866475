import assert from "node:assert/strict";
import { test } from "node:test";
import { sheetFrames, walkSheet } from "../../../cli/walk/walk_sheet.ts";
import type { ChunkRecord } from "../../../lib/world/protocol/job_record.ts";

function chunks(counts: readonly number[]): ChunkRecord[] {
  let start = 0;
  return counts.map((count) => ({ pixelFrameRange: [start, start += count] }) as unknown as ChunkRecord);
}

test("sheetFrames() shows the start and the end of every block", () => {
  assert.deepEqual(sheetFrames(chunks([9, 12, 12])), [0, 8, 20, 32]);
  assert.deepEqual(sheetFrames(chunks([13, 12])), [0, 12, 24]);
});

test("sheetFrames() spreads 24 pictures over a long walk, the first and the last frame among them", () => {
  const frames = sheetFrames(chunks([9, ...Array.from({ length: 83 }, () => 12)]));
  assert.equal(frames.length, 24);
  assert.equal(frames[0], 0);
  assert.equal(frames[23], 1004);
  const steps = frames.slice(1).map((frame, index) => frame - frames[index]!);
  assert.ok(steps.every((step) => step >= 36 && step <= 48), steps.join());
});

test("walkSheet() enlarges small pictures by whole pixels and starts a new row after six", () => {
  const pictures = Array.from({ length: 7 }, () => ({ width: 96, height: 64, data: new Uint8Array(96 * 64 * 3) }));
  const { width, height } = walkSheet(pictures);
  assert.deepEqual([width, height], [6 * (192 + 4) + 4, 2 * (128 + 4) + 4]);
});

test("walkSheet() leaves large pictures as they are", () => {
  const { width } = walkSheet([{ width: 512, height: 320, data: new Uint8Array(512 * 320 * 3) }]);
  assert.equal(width, 512 + 8);
});
