/**
 * Which frames each window sees, and windows of depth joined to one clip.
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

/** Frames at the beginning of a window that its scale and shift are found from. */
const ALIGNED_FRAMES = 2;

/** Frames of a window that also end the window before. */
const SHARED_FRAMES = KEY_INPUTS.length;

/** Frames over which a window fades into the next. */
const FADED_FRAMES = SHARED_FRAMES - ALIGNED_FRAMES;

/** depth * scale + shift */
interface ScaleShift {
  readonly scale: number;
  readonly shift: number;
}

/**
 * Joins windows in their order. Every window after the first is brought to the scale of the clip by least squares over
 * its first two frames, which show frames that are known already, unless depth is metric; then eight frames are
 * cross-faded. Depth below 0 becomes 0. Frames come out as soon as nothing changes them any more.
 */
export class WindowAligner {
  /** Of every window after the first. */
  readonly scales: ScaleShift[] = [];
  readonly #metric: boolean;
  #references: Float32Array[] = [];
  #pending: Float32Array[] = [];

  /** @param metric Depth has a unit: scale 1 and shift 0 for every window. */
  constructor({ metric }: { readonly metric: boolean }) {
    this.#metric = metric;
  }

  /** Takes the next window, frames of one size; gives the frames that are finished. */
  add(window: readonly Float32Array[]): Float32Array[] {
    const keys = KEY_INPUTS.slice(0, ALIGNED_FRAMES);
    if (this.#references.length === 0) {
      this.#references = keys.map((key) => window[key]);
      return this.#emit([], [...window]);
    }
    const fit = this.#metric
      ? { scale: 1, shift: 0 }
      : fitScaleShift(window.slice(0, ALIGNED_FRAMES), this.#references);
    this.scales.push(fit);
    const aligned = window.map((depth) => depth.map((v) => Math.max(v * fit.scale + fit.shift, 0)));
    const faded = this.#pending.map((before, i) => {
      const share = i / (FADED_FRAMES - 1);
      const after = aligned[ALIGNED_FRAMES + i];
      return before.map((v, at) => v * (1 - share) + after[at] * share);
    });
    this.#references = [this.#references[0], ...keys.slice(1).map((key) => aligned[key])];
    return this.#emit(faded, aligned.slice(SHARED_FRAMES, WINDOW_FRAMES));
  }

  /** The frames that are left when there is no other window. */
  finish(): Float32Array[] {
    return this.#pending.splice(0);
  }

  #emit(finished: readonly Float32Array[], added: readonly Float32Array[]): Float32Array[] {
    this.#pending = added.slice(-FADED_FRAMES);
    return [...finished, ...added.slice(0, -FADED_FRAMES)];
  }
}

/** Least squares of depth * scale + shift against the references; nothing changes when depth is the same everywhere. */
function fitScaleShift(depths: readonly Float32Array[], references: readonly Float32Array[]): ScaleShift {
  let [xx, x, n, xy, y] = [0, 0, 0, 0, 0];
  depths.forEach((depth, i) => {
    const reference = references[i];
    n += depth.length;
    for (let at = 0; at < depth.length; at++) {
      const [d, r] = [depth[at], reference[at]];
      xx += d * d;
      x += d;
      xy += d * r;
      y += r;
    }
  });
  const determinant = xx * n - x * x;
  if (!(determinant > 0)) return { scale: 1, shift: 0 };
  return { scale: (n * xy - x * y) / determinant, shift: (xx * y - x * xy) / determinant };
}
