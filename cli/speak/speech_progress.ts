/**
 * Shows how much of a text is spoken.
 *
 * @module
 */
import { SingleBar } from "cli-progress";

/** A bar on stderr. */
export interface SpeechProgress {
  readonly show: (fraction: number) => void;
  readonly stop: () => void;
}

/** @param interactive Whether stderr is an interactive terminal; otherwise nothing is shown. */
export function speechProgress(interactive: boolean): SpeechProgress {
  if (!interactive) return { show: () => {}, stop: () => {} };
  const bar = new SingleBar({ format: "Speaking {bar} {percentage} %", hideCursor: true, clearOnComplete: true });
  return {
    show: (fraction) => {
      if (!bar.isActive) bar.start(100, 0);
      bar.update(Math.floor(100 * fraction));
    },
    stop: () => bar.stop(),
  };
}
