import { SingleBar } from "cli-progress";
import { showLoading } from "../../lib/world/protocol/show_loading.ts";
import type { JobRecord } from "../../lib/world/protocol/job_record.ts";

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
  /** While a large model is loaded, such as `3.2 GiB of 10.6 GiB, 40 s left`. */
  readonly loading?: string;
}

/** What earlier jobs of a walk have made. */
export type MadeBefore = Pick<WalkProgress, "blocks" | "frames">;

/**
 * Derives the progress from a job record.
 *
 * @param before What earlier jobs have made, in a walk with a job for each block.
 */
export function walkProgress(
  job: JobRecord,
  totalBlocks: number,
  secondsSinceStart: number,
  before?: MadeBefore,
): WalkProgress {
  const frames = job.chunks.reduce((sum, chunk) => sum + chunk.pixelFrameCount, before?.frames ?? 0);
  const isDone = job.status === "completed";
  const ofJob = isDone ? 1 : job.progress?.fraction;
  const framesPerSecond = secondsSinceStart > 0 ? frames / secondsSinceStart : 0;
  const shown = isDone ? undefined : showLoading(job.progress);
  const loading = shown === undefined ? {} : { loading: shown };
  if (before) {
    const fraction = (before.blocks + (ofJob ?? 0)) / totalBlocks;
    return { blocks: before.blocks + Number(isDone), totalBlocks, frames, fraction, framesPerSecond, ...loading };
  }
  const fraction = ofJob ?? job.chunks.length / totalBlocks;
  return { blocks: job.chunks.length, totalBlocks, frames, fraction, framesPerSecond, ...loading };
}

/** The progress as text, such as `block 3/5 | 33 frames | 64.2 fps`. */
export function formatWalkProgress(progress: WalkProgress): string {
  const { blocks, totalBlocks, frames, framesPerSecond, loading } = progress;
  if (loading) return `loading the model: ${loading}`;
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
