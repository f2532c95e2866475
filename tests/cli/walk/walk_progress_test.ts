import assert from "node:assert/strict";
import { test } from "node:test";
import { formatWalkBar, formatWalkProgress, progressLines, walkProgress } from "../../../cli/walk/walk_progress.ts";
import type { JobRecord } from "../../../lib/world/protocol/job_record.ts";

function job(status: JobRecord["status"], counts: readonly number[], fraction?: number): JobRecord {
  const progress = { stage: "denoising", stepIndex: 0, totalSteps: 6, fraction: fraction ?? 0, updatedAt: "" };
  return {
    status,
    chunks: counts.map((pixelFrameCount) => ({ pixelFrameCount })),
    ...(fraction === undefined ? {} : { progress }),
  } as unknown as JobRecord;
}

test("walkProgress() counts the blocks and frames that a job has listed", () => {
  assert.deepEqual(walkProgress(job("generating", [9, 12], 0.45), 5, 0.5), {
    blocks: 2,
    totalBlocks: 5,
    frames: 21,
    fraction: 0.45,
    framesPerSecond: 42,
  });
});

test("walkProgress() uses blocks when a job reports no steps, and is full when it has completed", () => {
  assert.equal(walkProgress(job("generating", [9]), 4, 1).fraction, 0.25);
  assert.equal(walkProgress(job("completed", [9, 12], 0.9), 2, 1).fraction, 1);
});

test("walkProgress() adds what earlier jobs have made", () => {
  const before = { blocks: 1, frames: 9 };
  const { fraction, ...half } = walkProgress(job("generating", [13], 0.5), 4, 1, before);
  assert.deepEqual([fraction, half.blocks, half.frames], [0.375, 1, 22]);
  assert.deepEqual(walkProgress(job("completed", [13]), 4, 1, before).blocks, 2);
});

test("a walk says how far a large model is loaded", () => {
  const loading = job("generating", [], 0);
  const bytes = { bytesRead: 3 * 2 ** 30, bytesTotal: 10 * 2 ** 30 };
  const line = (more: object) =>
    formatWalkProgress(walkProgress({ ...loading, progress: { ...loading.progress!, ...bytes, ...more } }, 3, 1));
  assert.equal(line({}), "loading the model: 3 GiB of 10 GiB");
  assert.equal(line({ secondsLeft: 89 }), "loading the model: 3 GiB of 10 GiB, 89 s left");
  assert.equal(line({ secondsLeft: 170 }), "loading the model: 3 GiB of 10 GiB, 3 min left");
});

test("walkProgress() shows no rate when no time has passed", () => {
  assert.equal(walkProgress(job("queued", []), 2, 0).framesPerSecond, 0);
});

test("formatWalkProgress() lists blocks, frames and frames a second", () => {
  const progress = { blocks: 3, totalBlocks: 5, frames: 33, fraction: 0.6, framesPerSecond: 64.24 };
  assert.equal(formatWalkProgress(progress), "block 3/5 | 33 frames | 64.2 fps");
});

test("formatWalkBar() fills the bar as far as the walk is, steps within a block included", () => {
  const progress = { blocks: 1, totalBlocks: 3, frames: 9, fraction: 0.5, framesPerSecond: 40 };
  const line = `Walking ${"█".repeat(15)}${"░".repeat(15)} block 1/3 | 9 frames | 40.0 fps`;
  assert.equal(formatWalkBar(progress), line);
  assert.match(formatWalkBar({ ...progress, fraction: 0 }), /^Walking ░{30} /);
  assert.match(formatWalkBar({ ...progress, fraction: 1 }), /^Walking █{30} /);
});

test("progressLines() writes one line for each finished block and none for the steps between", () => {
  const lines: string[] = [];
  const view = progressLines((line) => lines.push(line));
  for (const [counts, fraction] of [[[], 0], [[], 0.1], [[9], 0.5], [[9], 0.7], [[9, 12], 1]] as const) {
    view.update(walkProgress(job("generating", counts, fraction), 2, 0.5));
  }
  view.stop();
  assert.deepEqual(lines, ["block 1/2 | 9 frames | 18.0 fps", "block 2/2 | 21 frames | 42.0 fps"]);
});
