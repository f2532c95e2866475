import { SingleBar } from "cli-progress";
import { showBytes, showSeconds } from "../../lib/errors/show.ts";
import type { OnTransfer, TransferProgress } from "../../lib/store/download_file.ts";
import { printable } from "../../lib/platform/terminal/terminal_text.ts";

/** Shows the progress of file transfers. */
export interface TransferView {
  readonly update: OnTransfer;
  /** Finishes the current display, so that other lines can follow. */
  stop(): void;
}

const BAR_WIDTH = 24;

const verbs = {
  copy: "Copying",
  hash: "Reading",
  download: "Downloading",
  verify: "Verifying",
  convert: "Converting",
} as const;
const done = {
  copy: "Copied",
  hash: "Read",
  download: "Downloaded",
  verify: "Verified",
  convert: "Converted",
} as const;

/** One line with a bar, such as `Copying ███░░ onnx/model_q4.onnx | 12.1 MiB of 900 MiB | 300 MiB/s | 3 s left`. */
export function formatTransferBar({ step, path, done, total }: TransferProgress, bytesPerSecond: number): string {
  const filled = total > 0 ? Math.round(done / total * BAR_WIDTH) : BAR_WIDTH;
  const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
  const left = (total - done) / bytesPerSecond;
  const time = left > 0 ? ` | ${showSeconds(left)} left` : "";
  const speed = bytesPerSecond > 0 ? ` | ${showBytes(bytesPerSecond)}/s${time}` : "";
  return `${verbs[step]} ${bar} ${printable(path)} | ${showBytes(done)} of ${showBytes(total)}${speed}`;
}

/** A progress bar per file, for a terminal. */
export function transferBars(now: () => number): TransferView {
  let bar: SingleBar | undefined;
  let first: TransferProgress | undefined;
  let start = 0;
  return {
    update: (progress) => {
      if (first?.path !== progress.path || first.step !== progress.step) {
        bar?.stop();
        bar = new SingleBar({ format: (_, __, { line }: { line?: string }) => line ?? "", hideCursor: true });
        first = progress;
        start = now();
        bar.start(progress.total, progress.done, { line: formatTransferBar(progress, 0) });
      }
      const seconds = (now() - start) / 1000;
      const speed = seconds > 0 ? (progress.done - first.done) / seconds : 0;
      bar?.update(progress.done, { line: formatTransferBar(progress, speed) });
    },
    stop: () => bar?.stop(),
  };
}

/** A line per finished file, for a log or a pipe. */
export function transferLines(write: (line: string) => void): TransferView {
  return {
    update: ({ step, path, done: count, total }) => {
      if (count >= total) write(`${done[step]} ${printable(path)} (${showBytes(total)})`);
    },
    stop: () => {},
  };
}
