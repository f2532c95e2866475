/**
 * How far the load of a model is, for a person at a terminal.
 *
 * @module
 */
import { SingleBar } from "cli-progress";
import type { Log } from "../../platform/processes/log.ts";

/** Shows loads until it is stopped. */
export interface LoadProgress {
  readonly show: (model: string, fraction: number) => void;
  /** A log whose lines do not run into what is shown. */
  readonly log: Log;
  readonly stop: () => void;
}

/** @param interactive Whether a person watches stderr; otherwise nothing is shown, the log tells it. */
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
      if (!bar.isActive) bar.start(100, 0, { model });
      bar.update(Math.floor(fraction * 100), { model });
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
