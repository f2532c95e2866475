import { SingleBar } from "cli-progress";
import type { JobRecord } from "../../lib/world/protocol/wire.ts";

/** How far a walk is. */
export interface WalkProgress {
  readonly blocks: number;
  readonly totalBlocks: number;
  /** Frames of the finished blocks. */
  readonly frames: number;
  /** Done so far, 0 to 1, steps within the running block included. */
  readonly fraction: number;
  /** Frames made in each second since the walk began; 0 before the first block is done. */
  readonly framesPerSecond: number;
}

/** Reads the progress out of a job's record. */
export function walkProgress(job: JobRecord, totalBlocks: number, secondsSinceStart: number): WalkProgress {
  const frames = job.chunks.reduce((sum, chunk) => sum + chunk.pixel_frame_count, 0);
  const fraction = job.status === "completed" ? 1 : job.progress?.fraction ?? job.chunks.length / totalBlocks;
  const framesPerSecond = secondsSinceStart > 0 ? frames / secondsSinceStart : 0;
  return { blocks: job.chunks.length, totalBlocks, frames, fraction, framesPerSecond };
}

/** The progress in words, such as `block 3/5 | 33 frames | 64.2 fps`. */
export function formatWalkProgress(progress: WalkProgress): string {
  const { blocks, totalBlocks, frames, framesPerSecond } = progress;
  return `block ${blocks}/${totalBlocks} | ${frames} frames | ${framesPerSecond.toFixed(1)} fps`;
}

/** Shows progress while a walk is made. */
export interface ProgressView {
  update(progress: WalkProgress): void;
  /** Leaves what is shown as it is, so that other lines can follow. */
  stop(): void;
}

/** The progress as one line with a bar, such as `Walking ███░░ block 3/5 | 33 frames | 64.2 fps`. */
export function formatWalkBar(progress: WalkProgress): string {
  const done = Math.round(progress.fraction * BAR_WIDTH);
  return `Walking ${"█".repeat(done)}${"░".repeat(BAR_WIDTH - done)} ${formatWalkProgress(progress)}`;
}

/** A bar that moves, for a terminal. */
export function progressBar(): ProgressView {
  const bar = new SingleBar({
    format: (_options, _params, { line }: { line?: string }) => line ?? "",
    hideCursor: true,
  });
  let started = false;
  return {
    update: (progress) => {
      const payload = { line: formatWalkBar(progress) };
      if (!started) bar.start(1, progress.fraction, payload);
      started = true;
      bar.update(progress.fraction, payload);
    },
    stop: () => bar.stop(),
  };
}

/** One line for each finished block, for a log or a pipe. */
export function progressLines(write: (line: string) => void): ProgressView {
  let blocks = 0;
  return {
    update: (progress) => {
      if (progress.blocks === blocks) return;
      blocks = progress.blocks;
      write(formatWalkProgress(progress));
    },
    stop: () => {},
  };
}

const BAR_WIDTH = 30;
