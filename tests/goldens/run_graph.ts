/**
 * Builds a graph, runs it once and reads its outputs.
 *
 * @module
 */
import { type Device, Graph, type Tensor, type Value } from "../../lib/tensor/mod.ts";

/**
 * Builds a graph from inputs given as tensors; the outputs come back by their names, in ordinary memory. Inputs that
 * `build` declares itself are taken from `state`.
 */
export async function runGraph(
  device: Device,
  inputs: Readonly<Record<string, Tensor>>,
  build: (values: Record<string, Value>, graph: Graph) => Record<string, Value>,
  state: Readonly<Record<string, Tensor>> = {},
): Promise<Record<string, Tensor<"f32">>> {
  const graph = new Graph();
  const values: Record<string, Value> = {};
  for (const [name, t] of Object.entries(inputs)) {
    values[name] = graph.input(name, t.shape, t.dtype === "i32" ? "int" : "float");
  }
  for (const [name, value] of Object.entries(build(values, graph))) graph.output(name, value);
  const program = await device.compile(graph);
  try {
    const feeds = Object.fromEntries(
      Object.entries({ ...inputs, ...state }).filter(([name]) => program.inputs.has(name)),
    );
    const outputs = await program.run(feeds);
    const read: Record<string, Tensor<"f32">> = {};
    for (const [name, t] of Object.entries(outputs)) {
      read[name] = await t.read() as Tensor<"f32">;
      t.release();
    }
    return read;
  } finally {
    program.dispose();
  }
}
