/**
 * What an operation of each vision model will take, worked out before any weight is read.
 *
 * @module
 */
import { f32, graphCost, type Shape, sizeOf, type Tensor } from "../../compute/tensor/mod.ts";
import { type TensorShapes, Weights } from "../checkpoint/weights.ts";
import { type DepthAnything3Config, depthAnything3Shapes } from "../depth_anything3/config.ts";
import { depthAnything3Stages } from "../depth_anything3/network.ts";
import type { ImageSize } from "../images/resample.ts";
import { type InstantMeshConfig, instantMeshShapes } from "../instantmesh/config.ts";
import { instantMeshStages } from "../instantmesh/network.ts";
import { type Moge2Config, moge2Shapes } from "../moge2/config.ts";
import { encodeImage, moge2Maps } from "../moge2/network.ts";
import { POINT_BATCH, pointStage } from "../triplane/point_program.ts";
import { type TripoSrConfig, tripoSrShapes } from "../triposr/config.ts";
import { tripoSrStages } from "../triposr/network.ts";
import { type VideoDepthConfig, videoDepthShapes, WINDOW_FRAMES } from "../video_depth_anything/config.ts";
import { videoDepthStages } from "../video_depth_anything/network.ts";
import { windowCount } from "../video_depth_anything/windows.ts";
import type { PatchGrid } from "../vision_transformer/dinov2_config.ts";
import { type Stage, stageGraph } from "./run_stages.ts";

/** Share of a grid's nodes that a usual surface needs. */
const SURFACE_SHARE = 0.08;

/** Geometry of one image with patches on a grid. */
export function planMoge2(config: Moge2Config, grid: PatchGrid, image: ImageSize, device: PlanDevice): OperationPlan {
  const shapes = moge2Shapes(config);
  const weights = plannedWeights(shapes);
  const { patch, dim } = config.encoder;
  const stage: Stage = (graph) => {
    const input = graph.input("image", [1, 3, grid.rows * patch, grid.columns * patch]);
    const encoding = encodeImage(input, config, weights, positionsOf(grid, dim), grid);
    const { points, normal, mask } = moge2Maps(encoding, config, weights, image);
    return { points, normal, mask };
  };
  return planParts(shapes, [{ stage, runs: 1 }], 0, device);
}

/** Geometry of views of one size. */
export function planDepthAnything3(
  config: DepthAnything3Config,
  size: ImageSize,
  views: number,
  device: PlanDevice,
): OperationPlan {
  const shapes = depthAnything3Shapes(config);
  const { patch, dim } = config.backbone;
  const grid = { rows: size.height / patch, columns: size.width / patch };
  const positions = positionsOf(grid, dim);
  const stages = depthAnything3Stages(config, plannedWeights(shapes), positions, size, views);
  const tokens = views * sizeOf(positions.shape);
  const parts = [
    { stage: stages.encode, runs: views },
    ...stages.relate.map((stage) => ({ stage, runs: 1 })),
    { stage: stages.head, runs: views },
  ];
  return planParts(shapes, parts, 2 * tokens * (1 + config.outLayers.length), device);
}

/** Depth of a clip. */
export function planVideoDepth(
  config: VideoDepthConfig,
  size: ImageSize,
  frames: number,
  device: PlanDevice,
): OperationPlan {
  const shapes = videoDepthShapes(config);
  const { patch, dim } = config.backbone;
  const grid = { rows: size.height / patch, columns: size.width / patch };
  const stages = videoDepthStages(config, plannedWeights(shapes), positionsOf(grid, dim), size);
  const windows = windowCount(frames);
  const { features, channels } = config.head;
  // Per patch of a frame: four times and twice as fine maps, the coarse ones, and the fused one.
  const kept = WINDOW_FRAMES * grid.rows * grid.columns * (features * (16 + 4 + 4) + channels[2] + channels[3] / 4);
  const parts = [
    { stage: stages.encode, runs: frames },
    { stage: stages.fuse, runs: windows },
    { stage: stages.decode, runs: windows * WINDOW_FRAMES },
  ];
  return planParts(shapes, parts, kept, device);
}

/** An object of one image on a grid of `resolution` nodes a side. */
export function planTripoSr(config: TripoSrConfig, resolution: number, device: PlanDevice): OperationPlan {
  const shapes = tripoSrShapes(config);
  const side = config.imageSize / config.encoder.patch;
  const positions = positionsOf({ rows: side, columns: side }, config.encoder.dim);
  const stages = tripoSrStages(config, plannedWeights(shapes), positions);
  const width = 3 * config.planeChannels;
  const parts = [
    { stage: stages.encode, runs: 1 },
    ...stages.transform.map((stage) => ({ stage, runs: 1 })),
    { stage: pointStage(width, stages.density), runs: SURFACE_SHARE * resolution ** 3 / POINT_BATCH },
  ];
  return planParts(shapes, parts, sizeOf(positions.shape) + 3 * config.planeTokens ** 2 * config.width, device);
}

/** An object of several views on a grid of `cells` cells a side. */
export function planInstantMesh(
  config: InstantMeshConfig,
  views: number,
  cells: number,
  device: PlanDevice,
): OperationPlan {
  const bare = instantMeshShapes(config, "");
  const side = config.imageSize / config.encoder.patch;
  const positions = positionsOf({ rows: side, columns: side }, config.encoder.dim);
  const stages = instantMeshStages(config, plannedWeights(bare), positions, views, cells);
  const width = 3 * config.planeChannels;
  const parts = [
    { stage: stages.encode, runs: views },
    ...stages.transform.map((stage) => ({ stage, runs: 1 })),
    { stage: pointStage(width, stages.node), runs: SURFACE_SHARE * cells ** 3 / POINT_BATCH },
  ];
  const kept = views * sizeOf(positions.shape) + 3 * config.planeTokens ** 2 * config.width;
  return planParts(bare, parts, kept, device);
}

function positionsOf({ rows, columns }: PatchGrid, dim: number): Tensor {
  return plannedTensor([1 + rows * columns, dim]);
}

/** Memory and work of an operation. */
export interface OperationPlan {
  /** Bytes of all weights on the device. */
  readonly weightBytes: number;
  /** Bytes of everything else on the device at one moment, at most. */
  readonly workBytes: number;
  /** Floating-point operations. */
  readonly flops: number;
}

/** One part of an operation. */
interface PlannedPart {
  readonly stage: Stage;
  /** How often it runs. */
  readonly runs: number;
}

/** What a device is like. */
interface PlanDevice {
  /** Bytes of a float on the device. */
  readonly bytesPerFloat: 2 | 4;
}

/**
 * The plan of parts that run one after the other.
 *
 * @param keptFloats Floats that are kept on the device between parts, at most.
 */
function planParts(
  shapes: TensorShapes,
  parts: readonly PlannedPart[],
  keptFloats: number,
  { bytesPerFloat }: PlanDevice,
): OperationPlan {
  const costs = parts.map(({ stage, runs }) => ({ runs, ...graphCost(stageGraph(stage), bytesPerFloat) }));
  const flops = costs.reduce((sum, cost) => sum + cost.runs * cost.flops, 0);
  const weights = [...shapes.values()].reduce((sum, shape) => sum + sizeOf(shape), 0);
  return {
    weightBytes: weights * bytesPerFloat,
    workBytes: Math.max(...costs.map((cost) => cost.activationBytes)) + keptFloats * bytesPerFloat,
    flops,
  };
}

/** Weights of these shapes without elements, for graphs that are never run. */
function plannedWeights(shapes: TensorShapes): Weights {
  return new Weights(new Map(Array.from(shapes, ([name, shape]) => [name, plannedTensor(shape)])));
}

/** A tensor without elements. */
function plannedTensor(shape: Shape): Tensor<"f32"> {
  return { ...f32([1], [0]), shape };
}
