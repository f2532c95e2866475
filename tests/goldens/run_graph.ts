/**
 * Builds graphs, runs them and reads their outputs.
 *
 * @module
 */
import { type Device, Graph, type Program, type Tensor, type Value } from "../../lib/compute/tensor/mod.ts";

/** Adds the operators to a graph whose inputs are declared and names its outputs. */
export type BuildGraph = (values: Record<string, Value>, graph: Graph) => Record<string, Value>;

/** Tensors by the names of a graph's inputs or outputs. */
export type Tensors = Readonly<Record<string, Tensor>>;

/** Runs what `build` makes of its inputs; compiles once for inputs of the same names and shapes. */
export class GraphRunner {
  readonly #device: Device;
  readonly #build: BuildGraph;
  readonly #programs = new Map<string, Program>();

  constructor(device: Device, build: BuildGraph) {
    this.#device = device;
    this.#build = build;
  }

  /** Runs once; inputs that `build` declares itself are taken from `state`. Outputs come in ordinary memory. */
  async run(inputs: Tensors, state: Tensors = {}): Promise<Record<string, Tensor<"f32">>> {
    const all = { ...inputs, ...state };
    const key = Object.entries(all).map(([name, t]) => `${name} ${t.shape}`).join();
    let program = this.#programs.get(key);
    if (!program) this.#programs.set(key, program = await this.#compile(inputs));
    const { inputs: used } = program;
    const outputs = await program.run(Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name))));
    const read: Record<string, Tensor<"f32">> = {};
    for (const [name, t] of Object.entries(outputs)) {
      read[name] = await t.read() as Tensor<"f32">;
      t.release();
    }
    return read;
  }

  dispose(): void {
    for (const program of this.#programs.values()) program.dispose();
    this.#programs.clear();
  }

  #compile(inputs: Tensors): Promise<Program> {
    const graph = new Graph();
    const values: Record<string, Value> = {};
    for (const [name, t] of Object.entries(inputs)) {
      values[name] = graph.input(name, t.shape, t.dtype === "i32" ? "int" : "float");
    }
    for (const [name, value] of Object.entries(this.#build(values, graph))) graph.output(name, value);
    return this.#device.compile(graph);
  }
}

/** Builds a graph, runs it once and forgets it. */
export async function runGraph(
  device: Device,
  inputs: Tensors,
  build: BuildGraph,
): Promise<Record<string, Tensor<"f32">>> {
  const runner = new GraphRunner(device, build);
  try {
    return await runner.run(inputs);
  } finally {
    runner.dispose();
  }
}
