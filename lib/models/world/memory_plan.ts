/**
 * The memory of a world on the CPU, planned before anything is loaded.
 *
 * @module
 */
import type { Graph } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
import { sizeOf } from "../../compute/tensor/mod.ts";
import type { Geometry } from "./world_model.ts";

/** Runtime, its libraries, workers and the video encoder, in bytes. */
const PROCESS = 250 * 2 ** 20;

/** Parts with more parameters are left in their files until a program is compiled. */
const LEFT_IN_FILES = 2 ** 28;

/** What a move makes. */
export interface PlannedSize extends Geometry {
  /** Frames of pixels that are held at the same time. */
  readonly frames: number;
}

/** The memory that a device takes for programs. */
export interface ProgramMemory<Cost> {
  /** What one costs, from its graph. */
  cost(graph: Graph): Cost;
  /** Bytes of several that are loaded at the same time and run one after another. */
  together(costs: readonly Cost[]): number;
}

/** What a world of one size consists of. */
export interface PlannedWorld {
  /** All weights, by part. */
  readonly weights: readonly TensorShapes[];
  /** Builds one program after another. */
  readonly programs: readonly (() => Graph)[];
}

/**
 * The bytes of a server's process while it generates frames of a size. Other work gets its turn between two programs:
 * those of large models take long to build.
 */
export async function planBytes<Cost>(
  { weights, programs }: PlannedWorld,
  size: PlannedSize,
  memory: ProgramMemory<Cost>,
): Promise<number> {
  const costs: Cost[] = [];
  for (const build of programs) {
    costs.push(memory.cost(build()));
    await new Promise((resolve) => setTimeout(resolve));
  }
  const parameters = weights.map((shapes) => [...shapes.values()].reduce((sum, shape) => sum + sizeOf(shape), 0));
  const stored = 4 * parameters.filter((count) => count < LEFT_IN_FILES).reduce((a, b) => a + b, 0);
  // A frame is a picture of bytes, and twice one of floats while it is decoded.
  return PROCESS + stored + memory.together(costs) + size.frames * size.width * size.height * 3;
}
