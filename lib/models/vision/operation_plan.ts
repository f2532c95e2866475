/**
 * What an operation will take, worked out before any weight is read.
 *
 * @module
 */
import { f32, graphCost, type Shape, sizeOf, type Tensor } from "../../compute/tensor/mod.ts";
import { type TensorShapes, Weights } from "../checkpoint/weights.ts";
import { type Stage, stageGraph } from "./run_stages.ts";

/** Memory and work of an operation. */
export interface OperationPlan {
  /** Bytes of all weights on the device. */
  readonly weightBytes: number;
  /** Bytes of everything else on the device at one moment, at most. */
  readonly workBytes: number;
  /** Floating-point operations. */
  readonly flops: number;
  /** How long it takes at the given speed. */
  readonly seconds: number;
}

/** One part of an operation. */
export interface PlannedPart {
  readonly stage: Stage;
  /** How often it runs. */
  readonly runs: number;
}

/** What a device is like. */
export interface PlanDevice {
  /** Bytes of a float on the device. */
  readonly bytesPerFloat: 2 | 4;
  /** Floating-point operations a second; see {@linkcode CPU_FLOPS_PER_THREAD}. */
  readonly flopsPerSecond: number;
}

/** What one thread of a server's CPU does in matrix products, measured on a vision transformer. */
export const CPU_FLOPS_PER_THREAD = 4e10;

/**
 * The plan of parts that run one after the other.
 *
 * @param keptFloats Floats that are kept on the device between parts, at most.
 */
export function planParts(
  shapes: TensorShapes,
  parts: readonly PlannedPart[],
  keptFloats: number,
  { bytesPerFloat, flopsPerSecond }: PlanDevice,
): OperationPlan {
  const costs = parts.map(({ stage, runs }) => ({ runs, ...graphCost(stageGraph(stage), bytesPerFloat) }));
  const flops = costs.reduce((sum, cost) => sum + cost.runs * cost.flops, 0);
  const weights = [...shapes.values()].reduce((sum, shape) => sum + sizeOf(shape), 0);
  return {
    weightBytes: weights * bytesPerFloat,
    workBytes: Math.max(...costs.map((cost) => cost.activationBytes)) + keptFloats * bytesPerFloat,
    flops,
    seconds: flops / flopsPerSecond,
  };
}

/** Weights of these shapes without elements, for graphs that are never run. */
export function plannedWeights(shapes: TensorShapes): Weights {
  return new Weights(new Map(Array.from(shapes, ([name, shape]) => [name, plannedTensor(shape)])));
}

/** A tensor without elements. */
export function plannedTensor(shape: Shape): Tensor<"f32"> {
  return { ...f32([1], [0]), shape };
}
