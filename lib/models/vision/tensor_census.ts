/**
 * Sizes of a network, read from the shapes of its tensors.
 *
 * @module
 */
import type { TensorFile } from "../../compute/tensor/mod.ts";

/** Layers beyond which a file is not looked at. */
const MAX_LAYERS = 256;

/** Looks up sizes in the header of a file; a missing tensor is a problem and counts as 1. */
export class TensorCensus {
  readonly #file: TensorFile;
  readonly #problems: string[];

  constructor(file: TensorFile, problems: string[]) {
    this.#file = file;
    this.#problems = problems;
  }

  /** Whether the file has the tensor. */
  has(name: string): boolean {
    return this.#file.tensors.has(name);
  }

  /** Size of an axis of a tensor. */
  size(name: string, axis: number): number {
    const size = this.#file.tensors.get(name)?.shape[axis];
    if (size !== undefined && size > 0) return size;
    this.#problems.push(`${this.#file.name} lacks tensor "${name}", from which its sizes are read`);
    return 1;
  }

  /** How many layers there are, by a tensor that each has; `{i}` stands for the layer's number. */
  layers(pattern: string): number {
    let count = 0;
    while (count < MAX_LAYERS && this.has(pattern.replace("{i}", `${count}`))) count++;
    return count;
  }

  /** Side of the square that a position table [1,1+side*side,D] was trained on. */
  gridSide(name: string): number {
    const length = this.size(name, 1) - 1;
    const side = Math.round(Math.sqrt(Math.max(length, 1)));
    if (side * side !== length) {
      this.#problems.push(`${this.#file.name} has ${length} positions in "${name}", expected a square number`);
    }
    return side;
  }
}
