/**
 * The network of Video Depth Anything, and the stages in which it runs.
 *
 * @module
 */
import { concat, relu, reshape, type Shape, slice, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { ImageSize } from "../images/resample.ts";
import { convolution } from "../layers/convolution.ts";
import { resizeLinear } from "../layers/resize_linear.ts";
import type { Stage } from "../vision/run_stages.ts";
import { visionFeatures } from "../vision_transformer/dinov2.ts";
import type { PatchGrid } from "../vision_transformer/dinov2_config.ts";
import { fuse, fusionInput, mapSize, projectTokens, resizeStage } from "../vision_transformer/dpt.ts";
import { type VideoDepthConfig, WINDOW_FRAMES } from "./config.ts";
import { temporalModule } from "./temporal_module.ts";

/** Maps of frames, [N,..] each: the two fine ones ready for fusion, the two coarse ones before they are looked at along time. */
interface FrameMaps {
  /** [N,F,4h,4w] */
  readonly finest: Value;
  /** [N,F,2h,2w] */
  readonly fine: Value;
  /** [N,C3,h,w] */
  readonly coarse: Value;
  /** [N,C4,h/2,w/2], rounded up. */
  readonly coarsest: Value;
}

/** Features of frames [N,rows*columns,D] of each taken block to maps. */
export function frameMaps(features: readonly Value[], grid: PatchGrid, weights: Weights): FrameMaps {
  const head = weights.at("head");
  const stages = features.map((patches, level) => resizeStage(projectTokens(patches, level, grid, head), level, head));
  return {
    finest: fusionInput(stages[0], 0, head),
    fine: fusionInput(stages[1], 1, head),
    coarse: stages[2],
    coarsest: stages[3],
  };
}

/** Normalised frames [N,3,H,W] to the features of each taken block, [N,rows*columns,D]. */
export function frameFeatures(frames: Value, config: VideoDepthConfig, weights: Weights, positions: Tensor): Value[] {
  return visionFeatures(frames, config.backbone, weights.at("pretrained"), positions, config.take)
    .map(({ patches }) => patches);
}

/** The fused coarse maps of a window and what the temporal modules took and gave. */
interface WindowMaps {
  /** [frames,F,2h,2w] */
  readonly path: Value;
  readonly motion: readonly { readonly input: Value; readonly output: Value }[];
}

/** Looks along time: at both coarse maps, and at both results of fusing them. */
export function fuseWindow(coarse: Value, coarsest: Value, weights: Weights): WindowMaps {
  const head = weights.at("head");
  const scratch = head.at("scratch");
  const motion: { input: Value; output: Value }[] = [];
  const move = (input: Value) => {
    const { output } = temporalModule(input, head.at(`motion_modules.${motion.length}`));
    motion.push({ input, output });
    return output;
  };
  const third = fusionInput(move(coarse), 2, head);
  const fourth = fusionInput(move(coarsest), 3, head);
  const { height, width } = mapSize(third);
  const deep = move(fuse(fourth, undefined, scratch.at("refinenet4"), { height, width }));
  const path = move(fuse(deep, third, scratch.at("refinenet3"), { height: 2 * height, width: 2 * width }));
  return { path, motion };
}

/** The last fusions of frames and their depth at the size of the network's input: [N,1,H,W]. */
export function frameDepth(path: Value, fine: Value, finest: Value, image: ImageSize, weights: Weights): Value {
  const scratch = weights.at("head.scratch");
  const second = fuse(path, fine, scratch.at("refinenet2"), mapSize(finest));
  const { height, width } = mapSize(finest);
  const first = fuse(second, finest, scratch.at("refinenet1"), { height: 2 * height, width: 2 * width });
  const large = resizeLinear(convolution(first, scratch.at("output_conv1")), image.height, image.width, "corners");
  return relu(convolution(relu(convolution(large, scratch.at("output_conv2.0"))), scratch.at("output_conv2.2")));
}

/** The parts for frames of one size. */
interface VideoDepthStages {
  /** `frame` [1,3,H,W] -> `finest`, `fine`, `coarse`, `coarsest`; for every frame, once. */
  readonly encode: Stage;
  /** `coarse.<i>` and `coarsest.<i>` of the frames of a window -> `path.<i>`. */
  readonly fuse: Stage;
  /** `path`, `fine`, `finest` -> `depth` [H,W]; for every frame of a window. */
  readonly decode: Stage;
}

/** Plans the parts; nothing is computed. */
export function videoDepthStages(
  config: VideoDepthConfig,
  weights: Weights,
  positions: Tensor,
  size: ImageSize,
): VideoDepthStages {
  const { patch } = config.backbone;
  const { channels, features } = config.head;
  const grid = { rows: size.height / patch, columns: size.width / patch };
  const map = (width: number, scale: number): Shape => [1, width, grid.rows * scale, grid.columns * scale];
  const half = (n: number) => Math.ceil(n / 2);
  return {
    encode: (graph) => {
      const frame = graph.input("frame", [1, 3, size.height, size.width]);
      return { ...frameMaps(frameFeatures(frame, config, weights, positions), grid, weights) };
    },
    fuse: (graph) => {
      const window = (name: string, shape: Shape) =>
        concat(Array.from({ length: WINDOW_FRAMES }, (_, i) => graph.input(`${name}.${i}`, shape)), 0);
      const coarse = window("coarse", map(channels[2], 1));
      const coarsest = window("coarsest", [1, channels[3], half(grid.rows), half(grid.columns)]);
      const { path } = fuseWindow(coarse, coarsest, weights);
      const outputs: Record<string, Value> = {};
      for (let i = 0; i < WINDOW_FRAMES; i++) outputs[`path.${i}`] = slice(path, { axis: 0, start: i, end: i + 1 });
      return outputs;
    },
    decode: (graph) => {
      const [path, fine] = ["path", "fine"].map((name) => graph.input(name, map(features, 2)));
      const depth = frameDepth(path, fine, graph.input("finest", map(features, 4)), size, weights);
      return { depth: reshape(depth, [size.height, size.width]) };
    },
  };
}
