/**
 * Video Depth Anything from its folder: depth of every frame of a clip.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { invalidField, SvcError } from "../../errors/svc_error.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import type { LoadOptions } from "../checkpoint/read_weights.ts";
import type { ImageSize } from "../images/resample.ts";
import { roundHalfToEven } from "../images/round_half_to_even.ts";
import { loadNetwork } from "../vision/load_network.ts";
import type { OperationOptions } from "../vision/operation.ts";
import { videoDepthFamily } from "./config.ts";
import { type Clip, runVideoDepth } from "./video_depth_anything.ts";

/** Most pixels on a side of the network's input, and in all of it. */
const MAX_SIDE = 2048;
const MAX_PIXELS = 2_100_000;

/** Most pixels of a clip, of a frame and on its side. */
const MAX_CLIP_PIXELS: number = 512 * 2 ** 20;
const MAX_FRAME_PIXELS: number = 16 * 2 ** 20;
const MAX_FRAME_SIDE = 8192;

/** How a clip is looked at. */
interface DepthVideoOptions extends OperationOptions {
  /** Pixels on the shorter side of the network's input, about. */
  readonly inputSize: number;
  /** Whether the weights give metres. */
  readonly metric: boolean;
}

/** Finds the depth of every frame, each as soon as nothing changes it any more. */
export type FindVideoDepth = (clip: Clip, options: DepthVideoOptions) => AsyncGenerator<Float32Array>;

/** Loads the model; the device stays the caller's. */
export async function openVideoDepth(
  root: ModelRoot,
  device: Device,
  options: LoadOptions = {},
): Promise<FindVideoDepth> {
  const { config, weights } = await loadNetwork(root, videoDepthFamily, options);
  return (clip, { inputSize, metric, ...operation }) => {
    const size = checkedClipSize(clip, inputSize, config.backbone.patch);
    return runVideoDepth(device, config, weights, clip, { ...operation, size, metric });
  };
}

/**
 * The network's size for a clip.
 *
 * @throws {SvcError} when the clip is empty, too large or too thin.
 */
export function checkedClipSize(
  clip: Pick<Clip, "width" | "height" | "frames">,
  inputSize: number,
  patch: number,
): ImageSize {
  const { width, height, frames } = clip;
  const refuse = (code: "video_damaged" | "video_too_large" | "input_size", what: string) => {
    const message = `Cannot find the depth of the video: ${what}`;
    return code === "input_size" ? invalidField(code, message) : new SvcError(code, message, { param: "video" });
  };
  if (!Number.isInteger(frames) || frames < 1) {
    throw refuse("video_damaged", `it has ${frames} frames, expected 1 or more`);
  }
  if (Math.max(width, height) > MAX_FRAME_SIDE || width * height > MAX_FRAME_PIXELS) {
    throw refuse(
      "video_too_large",
      `its frames are ${width}x${height}, expected at most ${MAX_FRAME_SIDE} on a side and ${MAX_FRAME_PIXELS} pixels`,
    );
  }
  if (frames * width * height > MAX_CLIP_PIXELS) {
    throw refuse(
      "video_too_large",
      `it has ${frames * width * height} pixels, expected at most ${MAX_CLIP_PIXELS}; lower max_frames`,
    );
  }
  const size = networkSize(clip, inputSize, patch);
  if (size.effective < patch || Math.max(size.width, size.height) > MAX_SIDE || size.width * size.height > MAX_PIXELS) {
    throw refuse(
      "input_size",
      `frames of ${width}x${height} make an input of ${size.width}x${size.height}, expected ${patch} to ${MAX_SIDE} on ` +
        `a side and at most ${MAX_PIXELS} pixels; ask for another input_size`,
    );
  }
  return { width: size.width, height: size.height };
}

/** Shape beyond which the size is lowered, so that a long frame costs no more than one of 16 by 9. */
const LONG_ASPECT = 1.78;
const WIDE_ASPECT = 1.777;

/** What the network is asked for, and the size of its input. */
interface NetworkSize extends ImageSize {
  /** Length of the shorter side before it becomes a multiple of the patch; 0 when the frame is too long to be seen. */
  readonly effective: number;
}

/** The shorter side at least at `inputSize`, both multiples of the patch; less where the frame is very long. */
export function networkSize({ width, height }: ImageSize, inputSize: number, patch: number): NetworkSize {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const effective = long / short > LONG_ASPECT
    ? roundHalfToEven(Math.trunc(inputSize * WIDE_ASPECT / (long / short)) / patch) * patch
    : inputSize;
  const scale = effective / short;
  const side = (length: number) => {
    const near = roundHalfToEven(length * scale / patch) * patch;
    return near < effective ? Math.ceil(length * scale / patch) * patch : near;
  };
  return { effective, width: side(width), height: side(height) };
}
