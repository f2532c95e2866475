/**
 * Video Depth Anything on a device.
 *
 * @module
 */
import { type Device, type DeviceTensor, f32, type Program } from "../../compute/tensor/mod.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { normaliseColours, unitPlanes } from "../images/planes.ts";
import { cornerTaps, cubicKernel, type ImageSize, interpolationTaps, resamplePlanes } from "../images/resample.ts";
import { type OperationOptions, OperationSteps } from "../vision/operation.ts";
import { stageGraph, TensorScope } from "../vision/run_stages.ts";
import { positionTable } from "../vision_transformer/patch_tokens.ts";
import { type VideoDepthConfig, WINDOW_FRAMES } from "./config.ts";
import { videoDepthStages } from "./network.ts";
import { WindowAligner, windowPlan } from "./windows.ts";

/** A clip whose frames are asked for once each, in their order. */
export interface Clip extends ImageSize {
  readonly frames: number;
  /** Frame `index`, of the clip's size. */
  readonly read: (index: number) => Promise<RgbImage>;
}

/** How a clip is looked at. */
interface VideoDepthOptions extends OperationOptions {
  /** Size of the network's input, see `open_video_depth.ts`. */
  readonly size: ImageSize;
  /** The weights give metres. */
  readonly metric: boolean;
}

/** Costs of the parts for one frame, in blocks of the backbone. */
const FUSE_COST = 2;
const DECODE_COST = 8;

const cubic = cubicKernel(-0.75);

/** A frame [3,height,width] as the network reads it: resized with cubic kernels in floats, colours normalised. */
export function frameInput(frame: RgbImage, size: ImageSize): Float32Array {
  const planes = unitPlanes(frame);
  return normaliseColours(resamplePlanes(planes, frame, size, (n, target) => interpolationTaps(n, target, cubic)));
}

/**
 * The depth of every frame at the size of the clip, in the order of the clip, each as soon as it is finished. The windows
 * of a clip share the features of a frame, so that each is encoded once.
 */
export async function* runVideoDepth(
  device: Device,
  config: VideoDepthConfig,
  weights: Weights,
  clip: Clip,
  options: VideoDepthOptions,
): AsyncGenerator<Float32Array> {
  const run = await ClipRun.start(device, config, weights, clip, options);
  try {
    let given = 0;
    const aligner = new WindowAligner(options);
    for (const window of windowPlan(clip.frames)) {
      for (const depth of aligner.add(await run.window(window))) if (given++ < clip.frames) yield depth;
    }
    for (const depth of aligner.finish()) if (given++ < clip.frames) yield depth;
  } finally {
    run.release();
  }
}

/** What is kept of a frame on the device. */
type FrameTensors = Record<"finest" | "fine" | "coarse" | "coarsest", DeviceTensor>;

class ClipRun {
  readonly #programs: Record<"encode" | "fuse" | "decode", Program>;
  readonly #clip: Clip;
  readonly #size: ImageSize;
  readonly #steps: OperationSteps;
  readonly #depth: number;
  readonly #scope = new TensorScope();
  readonly #encoded = new Map<number, FrameTensors>();

  private constructor(
    programs: Record<"encode" | "fuse" | "decode", Program>,
    config: VideoDepthConfig,
    clip: Clip,
    options: VideoDepthOptions,
  ) {
    const windows = windowPlan(clip.frames).length;
    const { depth } = config.backbone;
    this.#programs = programs;
    this.#clip = clip;
    this.#size = options.size;
    this.#depth = depth;
    const total = clip.frames * depth + windows * WINDOW_FRAMES * (FUSE_COST + DECODE_COST);
    this.#steps = new OperationSteps(total, options);
  }

  static async start(
    device: Device,
    config: VideoDepthConfig,
    weights: Weights,
    clip: Clip,
    options: VideoDepthOptions,
  ): Promise<ClipRun> {
    const { patch } = config.backbone;
    const grid = { rows: options.size.height / patch, columns: options.size.width / patch };
    const positions = positionTable(weights.get("pretrained.pos_embed"), grid, "offset");
    const stages = videoDepthStages(config, weights, positions, options.size);
    const encode = await device.compile(stageGraph(stages.encode));
    const fuse = await device.compile(stageGraph(stages.fuse));
    const decode = await device.compile(stageGraph(stages.decode));
    return new ClipRun({ encode, fuse, decode }, config, clip, options);
  }

  release(): void {
    this.#scope.releaseAll();
    for (const program of Object.values(this.#programs)) program.dispose();
  }

  /** Depth of the frames of a window at the size of the clip, not aligned. */
  async window(frames: readonly number[]): Promise<Float32Array[]> {
    for (const [frame, tensors] of this.#encoded) {
      if (frames.includes(frame)) continue;
      this.#scope.release(...Object.values(tensors));
      this.#encoded.delete(frame);
    }
    const maps: FrameTensors[] = [];
    for (const frame of frames) maps.push(this.#encoded.get(frame) ?? await this.#encode(frame));
    const paths = await this.#steps.step(WINDOW_FRAMES * FUSE_COST, () => this.#fuse(maps));
    const depths: Float32Array[] = [];
    for (const [i, { fine, finest }] of maps.entries()) {
      depths.push(await this.#steps.step(DECODE_COST, () => this.#decode(paths[`path.${i}`], fine, finest)));
    }
    return depths;
  }

  async #encode(frame: number): Promise<FrameTensors> {
    return await this.#steps.step(this.#depth, async () => {
      const { width, height } = this.#size;
      const input = f32([1, 3, height, width], frameInput(await this.#clip.read(frame), this.#size));
      const tensors = this.#scope.keep(await this.#programs.encode.run({ frame: input })) as FrameTensors;
      this.#encoded.set(frame, tensors);
      return tensors;
    });
  }

  async #fuse(maps: readonly FrameTensors[]): Promise<Record<string, DeviceTensor>> {
    const feeds: Record<string, DeviceTensor> = {};
    maps.forEach(({ coarse, coarsest }, i) => {
      feeds[`coarse.${i}`] = coarse;
      feeds[`coarsest.${i}`] = coarsest;
    });
    return this.#scope.keep(await this.#programs.fuse.run(feeds));
  }

  async #decode(path: DeviceTensor, fine: DeviceTensor, finest: DeviceTensor): Promise<Float32Array> {
    const { depth } = this.#scope.keep(await this.#programs.decode.run({ path, fine, finest }));
    this.#scope.release(path);
    const { data } = await this.#scope.take(depth);
    return resamplePlanes(data, this.#size, this.#clip, cornerTaps);
  }
}
