/**
 * What a session asks of a world model that makes one clip after another, each from the last image of the one before.
 *
 * @module
 */
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import type { LoadedBytes } from "../checkpoint/load_meter.ts";
import type { ChainModel } from "./world_model.ts";

/** What to show in the next clip. */
export interface ClipRequest {
  /** What is to be seen or done. */
  readonly prompt: string;
  /** Effective seed of this clip: the request's seed plus the clips generated before in the chain, modulo 2^64. */
  readonly seed: bigint;
  /** Frames of pixels, 4n + 1 with n from 1 on; the first one repeats the image that the clip begins with. */
  readonly frames: number;
  /** One action for every frame but the first, [frames - 1, 9]; see `compileActions` and `fitActions`. */
  readonly actions: Float32Array;
  /** Frames per second that the clip will be shown at. */
  readonly fps: number;
  /** Denoising steps. */
  readonly steps: number;
  /** How far to go beyond what no prompt would give; 1 means not at all, in half the time. */
  readonly guidanceScale: number;
  /** Shift of the noise levels towards noise, above 0. */
  readonly shift: number;
}

/** How far the model is within one clip. */
export interface ClipProgress {
  /** What it is at. */
  readonly stage: "loading" | "denoising" | "decoding";
  /** 0 to steps - 1 are the denoising steps, `steps` is the decoding. */
  readonly step: number;
  /** Denoising steps of the clip. */
  readonly steps: number;
  /** While it is loading: a large model is read when its programs are compiled. */
  readonly loaded?: LoadedBytes;
}

/** Options of {@linkcode ClipModel.generate}. */
export interface ClipOptions {
  /** Stops the work between two steps or two latents. */
  readonly signal?: AbortSignal;
  /** Called before every step and before the decoding. */
  readonly onProgress?: (progress: ClipProgress) => void;
  /**
   * Called as soon as images are ready, in their order: with one first, then with four at a time. They share the
   * memory of the whole clip.
   */
  readonly onFrames?: (frames: RgbFrames) => void;
}

/**
 * One loaded world model with one chain of clips. The state of the chain is its last image.
 *
 * Calls are made one after another. Errors with a `code` are as those of {@linkcode ChainModel}.
 */
export interface ClipModel extends ChainModel {
  /**
   * Generates the next clip. An abort rejects with the signal's reason and leaves the state as it was.
   */
  generate(request: ClipRequest, options?: ClipOptions): Promise<RgbFrames>;
}
