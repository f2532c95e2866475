/**
 * Inputs and outputs of a graph, without loading it.
 *
 * @module
 */
import type { ModelFiles } from "../contract/engine_entry.ts";
import { readOnnxFile } from "../onnx_sessions/onnx_file.ts";
import { graphFile } from "./graph_file.ts";

/** Names of inputs and outputs. */
export interface GraphSignature {
  /** Name of the file. */
  readonly file: string;
  readonly inputs: ReadonlySet<string>;
  readonly outputs: ReadonlySet<string>;
}

/**
 * Reads the signature of a model's graph.
 *
 * @returns Undefined for models whose graph does not take tokens, or without a graph of a usual name.
 * @throws {Error} when the file is damaged, or its weights are outside the model's folder.
 */
export async function readSignature(files: ModelFiles): Promise<GraphSignature | undefined> {
  const file = graphFile(files);
  if (file === undefined) return undefined;
  const { inputs, outputs, weights } = await readOnnxFile(files, file);
  const fed = inputs.map(({ name }) => name).filter((name) => !weights.has(name));
  if (!fed.includes("input_ids")) return undefined;
  return { file, inputs: new Set(fed), outputs: new Set(outputs.map(({ name }) => name)) };
}
