/**
 * Reads weights into ordinary memory.
 *
 * @module
 */
import type { Tensor, TensorFile } from "../../compute/tensor/mod.ts";
import { sentenceOf } from "./model_root.ts";
import { Weights } from "./weights.ts";

/** Options of loading a model. */
export interface LoadOptions {
  /** Stops the work between two tensors. */
  readonly signal?: AbortSignal | undefined;
  /** Share of the tensors that are read, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Tensors that are wanted of a file: their names in it by the names that the model's code knows. */
export interface WantedTensors {
  readonly file: TensorFile;
  readonly names: ReadonlyMap<string, string>;
}

/** Reads the tensors, each in its stored type; adds those that cannot be read to `problems`. */
export async function readWeights(
  wanted: readonly WantedTensors[],
  problems: string[],
  { signal, onProgress }: LoadOptions,
): Promise<Weights[]> {
  const total = wanted.reduce((n, { names }) => n + names.size, 0);
  let done = 0;
  const weights: Weights[] = [];
  for (const { file, names } of wanted) {
    const tensors = new Map<string, Tensor>();
    for (const [name, stored] of names) {
      signal?.throwIfAborted();
      try {
        tensors.set(name, await file.read(stored));
      } catch (error) {
        problems.push(sentenceOf(error));
      }
      onProgress?.(++done / total);
    }
    weights.push(new Weights(tensors));
  }
  return weights;
}

/** Names that are the same in the file and in the code. */
export function sameNames(names: Iterable<string>): ReadonlyMap<string, string> {
  return new Map(Array.from(names, (name) => [name, name]));
}
