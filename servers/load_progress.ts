/**
 * How far the load of a model is, for a person at a terminal.
 *
 * @module
 */
import { SingleBar } from "cli-progress";

/** Shows loads until it is stopped. */
export interface LoadProgress {
  readonly show: (model: string, fraction: number) => void;
  /** Leaves what is shown as it is, so that other lines can follow. */
  readonly stop: () => void;
}

/** @param interactive Whether a person watches stderr; for a log, nothing is shown. */
export function loadProgress(interactive: boolean): LoadProgress {
  if (!interactive) return { show: () => {}, stop: () => {} };
  const bar = new SingleBar({ format: "Loading {model} {bar} {percentage} %", hideCursor: true });
  let shown: string | undefined;
  let stopped = false;
  return {
    show: (model, fraction) => {
      if (stopped) return;
      if (shown !== model) bar.start(100, 0, { model });
      shown = model;
      bar.update(Math.floor(fraction * 100));
    },
    stop: () => {
      stopped = true;
      if (shown !== undefined) bar.stop();
    },
  };
}
