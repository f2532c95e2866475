/**
 * What a world takes on a GPU, worked out before a byte of its weights is read.
 *
 * @module
 */
import {
  type Graph,
  type GraphFlops,
  graphFlops,
  type Precision,
  type ProgramPlan,
  sizeOf,
  type Value,
} from "../../compute/tensor/mod.ts";
import type { Geometry } from "./world_model.ts";

/** A program of a world. */
export interface WorldProgram {
  readonly name: string;
  /** What its weights belong to, such as `transformer`; weights of two parts count for the first that is named. */
  readonly part: string;
  readonly build: () => Graph;
  /** How often it runs for a block of frames, or for a clip; 0 for one that runs at the start only. */
  readonly runs: number;
  /** Whether its weights leave the device after a run. */
  readonly transient?: boolean;
}

/** Memory that lives between runs, in bytes. */
export interface WorldState {
  /** At most at one time, besides what is kept for returns. */
  readonly stateBytes: number;
  /** Between two moves, when programs that are compiled for one run have their turn. */
  readonly idleBytes: number;
  /** What is kept for a return to the state before a move. */
  readonly snapshotBytes: number;
}

/**
 * Plans a program for a GPU.
 *
 * @throws {RangeError} when it needs more than a device can bind.
 */
export type PlanProgram = (graph: Graph, precision: Precision) => ProgramPlan;

/** What is planned. */
export interface WorldParts {
  readonly size: Geometry;
  readonly precision: Precision;
  readonly planProgram: PlanProgram;
  readonly programs: readonly WorldProgram[];
  /** Bytes for each float of the device. */
  readonly state: (bytesPerFloat: number) => WorldState;
}

/** One program of a {@linkcode WorldPlan}. */
export interface PlannedProgram extends Omit<ProgramPlan, "constants"> {
  readonly name: string;
  readonly runs: number;
  readonly flops: GraphFlops;
}

/** The plan of a world of one size. */
export interface WorldPlan extends WorldState {
  readonly size: Geometry;
  readonly precision: Precision;
  /** By part; those of a part that is transient are on the device for moments only. */
  readonly weightBytes: Readonly<Record<string, number>>;
  /** Of the program that needs most: programs run one after another and share it. */
  readonly scratchBytes: number;
  /** Everything on the device at once, without returns. */
  readonly totalBytes: number;
  readonly largestBinding: number;
  /** Of a block of frames, or of a clip. */
  readonly flops: GraphFlops;
  readonly trafficBytes: number;
  readonly programs: readonly PlannedProgram[];
}

/** Programs, pipelines, weights on their way, what a driver keeps for itself, and states that wait for a return. */
const DEVICE = 512 * 2 ** 20;

/**
 * Plans a world. Other work gets its turn between two programs: those of large models take
 * long to build.
 *
 * @throws {RangeError} when a program needs more than a device can bind.
 */
export async function planWorld({ size, precision, planProgram, programs, state }: WorldParts): Promise<WorldPlan> {
  const planned: PlannedProgram[] = [];
  const owners = new Map<object, string>();
  const weightBytes: Record<string, number> = {};
  const transient = new Set(programs.filter((program) => program.transient).map(({ part }) => part));
  for (const { name, part, build, runs } of programs) {
    const graph = build();
    const { constants, ...plan } = planProgram(graph, precision);
    planned.push({ name, runs, flops: graphFlops(graph), ...plan });
    weightBytes[part] ??= 0;
    for (const [constant, bytes] of constants) {
      if (owners.has(constant)) continue;
      owners.set(constant, part);
      weightBytes[part] += bytes;
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  const { stateBytes, idleBytes, snapshotBytes } = state(precision === "f16" ? 2 : 4);
  const scratchBytes = Math.max(...planned.map((program) => program.scratchBytes));
  const sum = (of: (program: PlannedProgram) => number) => planned.reduce((total, p) => total + p.runs * of(p), 0);
  const weightsOf = (moments: boolean) =>
    Object.entries(weightBytes).reduce(
      (total, [part, bytes]) => transient.has(part) === moments ? total + bytes : total,
      0,
    );
  return {
    ...{ size, precision, weightBytes, scratchBytes, stateBytes, idleBytes, snapshotBytes },
    totalBytes: DEVICE + weightsOf(false) + scratchBytes + Math.max(stateBytes, idleBytes + weightsOf(true)),
    largestBinding: Math.max(...planned.map((program) => program.largestBinding)),
    flops: {
      matmul: sum(({ flops }) => flops.matmul),
      conv: sum(({ flops }) => flops.conv),
      attention: sum(({ flops }) => flops.attention),
    },
    trafficBytes: sum((program) => program.trafficBytes),
    programs: planned,
  };
}

/** Elements of the inputs or outputs of a graph whose names match. */
export function elementsOf(values: ReadonlyMap<string, Value>, name: RegExp): number {
  return [...values].reduce((sum, [key, { shape }]) => name.test(key) ? sum + sizeOf(shape) : sum, 0);
}
