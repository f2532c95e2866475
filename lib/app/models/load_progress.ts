/**
 * Shows the progress of a model's load on a terminal.
 *
 * @module
 */
import { printable } from "../../platform/terminal/terminal_text.ts";
import { SingleBar } from "cli-progress";
import type { Log } from "../../platform/processes/log.ts";

/** Shows loads until it is stopped. */
export interface LoadProgress {
  readonly show: (model: string, fraction: number) => void;
  /** A log whose lines do not collide with the progress display. */
  readonly log: Log;
  readonly stop: () => void;
}

/**
 * @param interactive Whether stderr is an interactive terminal; otherwise nothing is shown, progress is in the log.
 */
export function loadProgress(interactive: boolean, log: Log): LoadProgress {
  if (!interactive) return { show: () => {}, log, stop: () => {} };
  const bar = new SingleBar({
    format: "Loading {model} {bar} {percentage} %",
    hideCursor: true,
    clearOnComplete: true,
  });
  let stopped = false;
  return {
    show: (model, fraction) => {
      if (stopped) return;
      const shown = { model: printable(model) };
      if (!bar.isActive) bar.start(100, 0, shown);
      bar.update(Math.floor(fraction * 100), shown);
    },
    log: (...entry) => {
      if (bar.isActive) bar.stop();
      log(...entry);
    },
    stop: () => {
      stopped = true;
      bar.stop();
    },
  };
}
