/**
 * Reads weights into ordinary memory.
 *
 * @module
 */
import { observedTensor, type TensorFile } from "../../compute/tensor/mod.ts";
import type { LoadMeter } from "./load_meter.ts";
import { sentenceOf } from "./model_root.ts";
import { readWeight, type StoredWeight } from "./stored_weight.ts";
import { type TensorShapes, Weights } from "./weights.ts";

/** Options of loading a model. */
export interface LoadOptions {
  /** Stops the work between two tensors. */
  readonly signal?: AbortSignal | undefined;
  /** Fraction of the tensors that have been read, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Leaves the elements of large tensors in their files until they are used, where the files can be read at any time. */
  readonly later?: boolean | undefined;
  /** Counts such tensors, and every read of one. */
  readonly meter?: Pick<LoadMeter, "expect"> | undefined;
}

/** Weights that are wanted of a file whose names and shapes were checked. */
export interface WantedWeights {
  readonly file: TensorFile;
  /** By the names in the model's code. */
  readonly shapes: TensorShapes;
  /** The name in the file; default the same. */
  readonly nameInFile?: ((name: string) => string) | undefined;
  /** Whether the meter counts a weight; all by default. */
  readonly isMetered?: ((name: string) => boolean) | undefined;
}

/** Reads the weights, each in its stored type; adds those that cannot be read to `problems`. */
export async function readWeights(
  wanted: readonly WantedWeights[],
  problems: string[],
  { signal, onProgress, later, meter }: LoadOptions,
): Promise<Weights[]> {
  const total = wanted.reduce((n, { shapes }) => n + shapes.size, 0);
  let done = 0;
  const all: Weights[] = [];
  for (const { file, shapes, nameInFile = same, isMetered = () => true } of wanted) {
    const metered = meter ? meteredReads(file, meter) : file;
    const weights = new Map<string, StoredWeight>();
    for (const [name, shape] of shapes) {
      signal?.throwIfAborted();
      try {
        weights.set(name, await readWeight(isMetered(name) ? metered : file, nameInFile(name), shape, later));
      } catch (error) {
        problems.push(sentenceOf(error));
      }
      onProgress?.(++done / total);
    }
    all.push(new Weights(weights));
  }
  return all;
}

/** The same file; reads of tensors that are left in it are metered. */
function meteredReads(file: TensorFile, meter: Pick<LoadMeter, "expect">): TensorFile {
  const { later } = file;
  if (!later) return file;
  return {
    name: file.name,
    metadata: file.metadata,
    tensors: file.tensors,
    read: (name) => file.read(name),
    later: (name) => observedTensor(later(name), meter.expect(file.tensors.get(name)!.byteLength)),
  };
}

function same(name: string): string {
  return name;
}
