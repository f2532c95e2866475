import { SingleBar } from "cli-progress";
import type { JobRecord } from "../../world/protocol/wire.ts";

/** The progress of a walk. */
export interface WalkProgress {
  readonly blocks: number;
  readonly totalBlocks: number;
  /** Frames of the finished blocks. */
  readonly frames: number;
  /** Completed fraction, 0 to 1, including steps within the running block. */
  readonly fraction: number;
  /** Frames per second since the walk began; 0 before the first block is done. */
  readonly framesPerSecond: number;
}

/** Derives the progress from a job record. */
export function walkProgress(job: JobRecord, totalBlocks: number, secondsSinceStart: number): WalkProgress {
  const frames = job.chunks.reduce((sum, chunk) => sum + chunk.pixel_frame_count, 0);
  const fraction = job.status === "completed" ? 1 : job.progress?.fraction ?? job.chunks.length / totalBlocks;
  const framesPerSecond = secondsSinceStart > 0 ? frames / secondsSinceStart : 0;
  return { blocks: job.chunks.length, totalBlocks, frames, fraction, framesPerSecond };
}

/** The progress as text, such as `block 3/5 | 33 frames | 64.2 fps`. */
export function formatWalkProgress(progress: WalkProgress): string {
  const { blocks, totalBlocks, frames, framesPerSecond } = progress;
  return `block ${blocks}/${totalBlocks} | ${frames} frames | ${framesPerSecond.toFixed(1)} fps`;
}

/** Shows the progress of a walk. */
export interface ProgressView {
  update(progress: WalkProgress): void;
  /** Finishes the current display, so that other lines can follow. */
  stop(): void;
}

/** The progress as one line with a bar, such as `Walking ███░░ block 3/5 | 33 frames | 64.2 fps`. */
export function formatWalkBar(progress: WalkProgress): string {
  const done = Math.round(progress.fraction * BAR_WIDTH);
  return `Walking ${"█".repeat(done)}${"░".repeat(BAR_WIDTH - done)} ${formatWalkProgress(progress)}`;
}

/** A progress bar, for a terminal. */
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

/** A line per finished block, for a log or a pipe. */
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
