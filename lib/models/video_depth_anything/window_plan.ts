/**
 * Which frames each window sees.
 *
 * @module
 */
import { KEY_INPUTS, WINDOW_FRAMES, WINDOW_STEP } from "./config.ts";

/** How many windows a clip takes. */
export function windowCount(frames: number): number {
  return Math.ceil(frames / WINDOW_STEP);
}

/**
 * The frames of each window, by their number in the clip. The last frame is repeated where the clip has ended; from the
 * second window on the first ten are inputs of the window before, the first of which is always the clip's first frame.
 */
export function windowPlan(frames: number): number[][] {
  const windows: number[][] = [];
  for (let k = 0; k < windowCount(frames); k++) {
    const before = windows[k - 1];
    windows.push(Array.from({ length: WINDOW_FRAMES }, (_, i) => {
      if (before && i < KEY_INPUTS.length) return before[KEY_INPUTS[i]];
      return Math.min(k * WINDOW_STEP + i, frames - 1);
    }));
  }
  return windows;
}
