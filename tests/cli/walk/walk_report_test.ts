import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonReport, type WalkEvent, wordReport } from "../../../cli/walk/walk_report.ts";

const saved: WalkEvent = {
  event: "saved",
  video: "walk.mp4",
  sheet: "walk.png",
  blocks: 2,
  frames: 21,
  width: 96,
  height: 64,
  fps: 16,
  next: "walk on",
};

function progress(blocks: number, fraction: number): WalkEvent {
  return { event: "progress", blocks, totalBlocks: 2, frames: blocks * 9, fraction, framesPerSecond: 60 };
}

function record(): { out: string[]; err: string[]; output: Parameters<typeof wordReport>[0] } {
  const out: string[] = [];
  const err: string[] = [];
  return { out, err, output: { out: (line) => out.push(line), err: (line) => err.push(line), interactive: false } };
}

test("wordReport() prints results on stdout and all else on stderr", () => {
  const { out, err, output } = record();
  const report = wordReport(output);
  report.emit({ event: "server", url: "http://127.0.0.1:8791", started: false });
  report.emit({ event: "ready", model: { id: "corridor-nano", device: "cpu (2 threads)", dtype: "f32" } });
  report.emit({ event: "source", image: "corridor.png", assumedPrompt: "a red corridor" });
  report.emit(progress(0, 0.1));
  report.emit(progress(1, 0.5));
  report.emit(saved);
  report.end();
  assert.deepEqual(err, [
    "Walking on the running server, page http://127.0.0.1:8791/",
    "World corridor-nano on cpu (2 threads), f32",
    "Starting from corridor.png",
    "Prompt: a red corridor; say with --prompt what the picture shows, what comes into view follows it",
    "block 1/2 | 9 frames | 60.0 fps",
  ]);
  assert.deepEqual(out, [
    "Saved walk.mp4: 2 blocks, 21 frames of 96x64, 1.3 s at 16 fps",
    "Saved walk.png: the start and each block's end",
    "Next: walk on",
  ]);
});

test("wordReport() says why the contact sheet is missing", () => {
  const { out, output } = record();
  const { sheet: _, ...rest } = saved;
  wordReport(output).emit({ ...rest, sheetProblem: "there is no decoder; to get one, install it" });
  assert.equal(out[1], "No contact sheet: there is no decoder; to get one, install it");
});

test("jsonReport() writes one line of JSON for each event, and progress only when a block is done", () => {
  const { out, err, output } = record();
  const report = jsonReport(output);
  for (const event of [progress(0, 0.1), progress(1, 0.5), progress(1, 0.6), saved]) report.emit(event);
  report.emit({ event: "failed", message: "Cannot", code: "session_busy" });
  assert.deepEqual(out.map((line) => JSON.parse(line)), [
    progress(1, 0.5),
    saved,
    { event: "failed", message: "Cannot", code: "session_busy" },
  ]);
  assert.deepEqual(err, []);
});
