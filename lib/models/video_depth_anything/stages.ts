/**
 * The parts in which Video Depth Anything runs.
 *
 * @module
 */
import { concat, reshape, type Shape, slice, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { ImageSize } from "../images/resample.ts";
import type { Stage } from "../vision/run_stages.ts";
import { type VideoDepthConfig, WINDOW_FRAMES } from "./config.ts";
import { frameDepth, frameFeatures, frameMaps, fuseWindow } from "./network.ts";

/** The parts for frames of one size. */
export interface VideoDepthStages {
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
