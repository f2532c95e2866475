/**
 * The memory of a world on the CPU, planned before anything is loaded.
 *
 * @module
 */
import { type Graph, sizeOf } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import type { Geometry } from "./world_model.ts";

/** Runtime, its libraries, workers and the video encoder, in bytes. */
const PROCESS = 250 * 2 ** 20;

/** Parts with more parameters are left in their files until a program is compiled. */
const LEFT_IN_FILES = 2 ** 28;

/**
 * Bytes for each pixel of a move, measured: images of floats and of bytes where they are decoded, of bytes where they
 * are encoded, and what the garbage collector has not collected yet.
 */
const FRAME_BYTES = 48;

/** What a move makes. */
export interface PlannedSize extends Geometry {
  /** Frames of pixels that are held at the same time. */
  readonly frames: number;
}

/** The memory that a device takes for programs. */
export interface ProgramMemory<Cost> {
  /** What one costs, from its graph; `besideBytes` are held while it runs, besides what it takes and gives. */
  cost(graph: Graph, besideBytes?: number): Cost;
  /** Bytes of all of them; they run one after another. */
  together(costs: PlannedPrograms<Cost>): number;
}

/** Programs by how long they are loaded. */
export interface PlannedPrograms<Program> {
  /** Always. */
  readonly programs: readonly Program[];
  /** One of these groups at a time. */
  readonly alternatives: readonly (readonly Program[])[];
  /** For one run, beside all others. */
  readonly transient: readonly Program[];
}

/** A program's graph, and where much is held while it runs besides what it takes and gives, the bytes of that. */
export type PlannedProgram = Graph | { readonly graph: Graph; readonly besideBytes: number };

/** What a world of one size consists of: its programs are built one after another. */
export interface PlannedWorld extends PlannedPrograms<() => PlannedProgram> {
  /** All weights, by part. */
  readonly weights: readonly TensorShapes[];
}

/**
 * The bytes of a server's process while it generates frames of a size. Other work gets its turn between two programs:
 * those of large models take long to build.
 */
export async function planBytes<Cost>(
  { weights, ...world }: PlannedWorld,
  size: PlannedSize,
  memory: ProgramMemory<Cost>,
): Promise<number> {
  const costs = async (builders: readonly (() => PlannedProgram)[]): Promise<Cost[]> => {
    const found: Cost[] = [];
    for (const build of builders) {
      const program = build();
      found.push("graph" in program ? memory.cost(program.graph, program.besideBytes) : memory.cost(program));
      await new Promise((resolve) => setTimeout(resolve));
    }
    return found;
  };
  const alternatives: Cost[][] = [];
  for (const group of world.alternatives) alternatives.push(await costs(group));
  const planned = { programs: await costs(world.programs), alternatives, transient: await costs(world.transient) };
  const parameters = weights.map((shapes) => [...shapes.values()].reduce((sum, shape) => sum + sizeOf(shape), 0));
  const stored = 4 * parameters.filter((count) => count < LEFT_IN_FILES).reduce((a, b) => a + b, 0);
  return PROCESS + stored + memory.together(planned) + size.frames * size.width * size.height * FRAME_BYTES;
}
