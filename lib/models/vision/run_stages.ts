/**
 * Networks that run as several programs, one after the other.
 *
 * @module
 */
import {
  type Device,
  type DeviceTensor,
  Graph,
  type Program,
  type Tensor,
  type Value,
} from "../../compute/tensor/mod.ts";

/** One part of a network: adds its inputs and operators to a graph and names its outputs. */
export type Stage = (graph: Graph) => Readonly<Record<string, Value>>;

/** The graph of a stage. */
export function stageGraph(stage: Stage): Graph {
  const graph = new Graph();
  for (const [name, value] of Object.entries(stage(graph))) graph.output(name, value);
  return graph;
}

/** Compiles a stage, gives the program to `work` and releases it. */
export async function withStage<T>(device: Device, stage: Stage, work: (program: Program) => Promise<T>): Promise<T> {
  const program = await device.compile(stageGraph(stage));
  try {
    return await work(program);
  } finally {
    program.dispose();
  }
}

/** Tensors on a device that are released together at the end of an operation, or before. */
export class TensorScope {
  readonly #tensors = new Set<DeviceTensor>();

  /** Keeps tensors until they are released. */
  keep<T extends Readonly<Record<string, DeviceTensor>>>(tensors: T): T {
    for (const t of Object.values(tensors)) this.#tensors.add(t);
    return tensors;
  }

  /** Releases some tensors now. */
  release(...tensors: readonly DeviceTensor[]): void {
    for (const t of tensors) if (this.#tensors.delete(t)) t.release();
  }

  /** Releases all that are left. */
  releaseAll(): void {
    this.release(...this.#tensors);
  }

  /** Copies a tensor to ordinary memory and releases it. */
  async take(t: DeviceTensor): Promise<Tensor<"f32">> {
    const read = await t.read();
    this.release(t);
    return read as Tensor<"f32">;
  }
}
