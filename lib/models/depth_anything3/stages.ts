/**
 * The parts in which Depth Anything 3 runs.
 *
 * @module
 */
import { concat, reshape, slice, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { PatchGrid } from "../dinov2/config.ts";
import type { ImageSize } from "../images/resample.ts";
import type { Stage } from "../vision/run_stages.ts";
import { cameraHead, encodeCameras } from "./camera_networks.ts";
import type { DepthAnything3Config } from "./config.ts";
import { depthHead } from "./depth_head.ts";
import { cameraFeatures, encodeViews, placeCameraTokens, relateViews, viewFeatures } from "./network.ts";

/** The parts for views of one size. Views are numbered in the order in which the network sees them. */
export interface DepthAnything3Stages {
  /** `image` [1,3,H,W] -> `tokens` [1,1+P,D], `class` [1,D]; for every view. */
  readonly encode: Stage;
  /** `encoding` [views,9] -> `cameras` [views,D]; where cameras are known. */
  readonly encodeCameras: Stage;
  /**
   * The blocks up to each layer whose output is used. The first takes `tokens.<view>` and `cameras` [views,D], the others
   * `x` and `local`; all give `x`, `local` and `feature.<view>` [1,P,2D], the last `camera` [views,2D] and `pose` [views,9]
   * besides.
   */
  readonly relate: readonly Stage[];
  /** `feature.0` to `feature.3` [1,P,2D] -> `depth`, `confidence` [H,W]; for every view. */
  readonly head: Stage;
}

/** Plans the parts; nothing is computed. */
export function depthAnything3Stages(
  config: DepthAnything3Config,
  weights: Weights,
  positions: Tensor,
  size: ImageSize,
  views: number,
): DepthAnything3Stages {
  const { patch, dim } = config.backbone;
  const grid: PatchGrid = { rows: size.height / patch, columns: size.width / patch };
  const length = 1 + grid.rows * grid.columns;
  const starts = [config.altStart, ...config.outLayers.map((layer) => layer + 1)];
  return {
    encode: (graph) => {
      const image = graph.input("image", [1, 3, size.height, size.width]);
      const { tokens, classTokens } = encodeViews(image, config, weights, positions);
      return { tokens, class: classTokens };
    },
    encodeCameras: (graph) => {
      const { tokens } = encodeCameras(graph.input("encoding", [views, 9]), config, weights.at("model.cam_enc"));
      return { cameras: tokens };
    },
    relate: config.outLayers.map((layer, i) => (graph) => {
      const input = (name: string) => graph.input(name, [views, length, dim]);
      const entered = () => {
        const all = Array.from({ length: views }, (_, view) => graph.input(`tokens.${view}`, [1, length, dim]));
        const x = placeCameraTokens(concat(all, 0), graph.input("cameras", [views, dim]));
        return { x, local: x };
      };
      const before = i === 0 ? entered() : { x: input("x"), local: input("local") };
      const stream = relateViews(before, starts[i], layer + 1, grid, config, weights);
      const features = viewFeatures(stream, weights);
      const outputs: Record<string, Value> = { x: stream.x, local: stream.local };
      for (let view = 0; view < views; view++) {
        outputs[`feature.${view}`] = slice(features, { axis: 0, start: view, end: view + 1 });
      }
      if (i === config.outLayers.length - 1) {
        outputs.camera = cameraFeatures(stream);
        outputs.pose = cameraHead(outputs.camera, weights.at("model.cam_dec"));
      }
      return outputs;
    }),
    head: (graph) => {
      const features = config.outLayers.map((_, i) => graph.input(`feature.${i}`, [1, length - 1, 2 * dim]));
      const { depth, confidence } = depthHead(features, grid, size, weights.at("model.head"));
      const map = (value: Value) => reshape(value, [size.height, size.width]);
      return { depth: map(depth), confidence: map(confidence) };
    },
  };
}
