/**
 * The network of Depth Anything 3, cut where the reference view is chosen and after every layer whose output is used,
 * and the stages in which it runs.
 *
 * @module
 */
import { concat, reshape, slice, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { ImageSize } from "../images/resample.ts";
import { weightedNorm } from "../layers/dense.ts";
import type { Stage } from "../vision/run_stages.ts";
import { visionBlock, visionTokens } from "../vision_transformer/dinov2.ts";
import { DINOV2_EPS, type PatchGrid } from "../vision_transformer/dinov2_config.ts";
import { DA3_BACKBONE, DA3_EPS, type DepthAnything3Config, looksAcross } from "./config.ts";
import { cameraHead, depthHead, encodeCameras } from "./heads.ts";
import { placesAcrossViews, placesInView, rotaryTables, viewBlock } from "./view_block.ts";

/** Outputs of the blocks within single views. */
interface EncodedViews {
  /** [N,1+P,D] */
  readonly tokens: Value;
  /** [N,D]: class tokens one block earlier, from which the reference view is chosen. */
  readonly classTokens: Value;
}

/** Normalised views [N,3,H,W] through the blocks in which no view sees another. */
export function encodeViews(
  images: Value,
  config: DepthAnything3Config,
  weights: Weights,
  positions: Tensor,
): EncodedViews {
  const backbone = weights.at(DA3_BACKBONE);
  const { heads, dim } = config.backbone;
  let x = visionTokens(images, backbone, positions);
  let before = x;
  for (let i = 0; i < config.altStart; i++) {
    before = x;
    x = visionBlock(x, backbone.at(`blocks.${i}`), { heads, eps: DINOV2_EPS }).output;
  }
  return { tokens: x, classTokens: reshape(slice(before, { axis: 1, end: 1 }), [x.shape[0], dim]) };
}

/** Tokens of all views [views,1+P,D] with a camera token [views,D] in the place of the class token. */
export function placeCameraTokens(tokens: Value, cameras: Value): Value {
  const [views, , width] = tokens.shape;
  return concat([reshape(cameras, [views, 1, width]), slice(tokens, { axis: 1, start: 1 })], 1);
}

/** What goes from one part of the network to the next. */
interface ViewStream {
  /** [views,1+P,D] */
  readonly x: Value;
  /** The same after the last block in which views do not see each other. */
  readonly local: Value;
}

/** The blocks from `start` to `end` (exclusive). */
export function relateViews(
  stream: ViewStream,
  start: number,
  end: number,
  grid: PatchGrid,
  config: DepthAnything3Config,
  weights: Weights,
): ViewStream {
  const [views] = stream.x.shape;
  const { heads, dim } = config.backbone;
  const tables = {
    inView: rotaryTables(placesInView(grid), views, dim / heads),
    across: rotaryTables(placesAcrossViews(grid), views, dim / heads),
  };
  let { x, local } = stream;
  for (let i = start; i < end; i++) {
    const across = looksAcross(config, i);
    const options = { heads, across, tables: across ? tables.across : tables.inView };
    x = viewBlock(x, weights.at(`${DA3_BACKBONE}.blocks.${i}`), options);
    if (!across) local = x;
  }
  return { x, local };
}

/** Both streams side by side, the second half normalised, without the camera token: [views,P,2D]. */
export function viewFeatures({ x, local }: ViewStream, weights: Weights): Value {
  const both = concat([local, weightedNorm(x, weights.at(`${DA3_BACKBONE}.norm`), DA3_EPS)], 2);
  return slice(both, { axis: 1, start: 1 });
}

/** Both streams of the camera token, not normalised: [views,2D]. */
function cameraFeatures({ x, local }: ViewStream): Value {
  const [views, , width] = x.shape;
  return reshape(slice(concat([local, x], 2), { axis: 1, end: 1 }), [views, 2 * width]);
}

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
