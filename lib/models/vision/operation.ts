/**
 * What the operations of all vision models have in common.
 *
 * @module
 */

/** Options of a long operation. */
export interface OperationOptions {
  /** Ends the operation at its next step. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every step with the share of the work that is done, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Called when a part of the operation begins, for the measurement of times. */
  readonly onStage?: ((stage: OperationStage) => void) | undefined;
}

/** Parts that operations consist of. */
type OperationStage = "preprocessing" | "inference" | "postprocessing" | "scene_encoding" | "mesh_extraction";

/** Counts the steps of an operation by their cost, reports them and stops between them. */
export class OperationSteps {
  readonly #total: number;
  readonly #options: OperationOptions;
  #done = 0;

  /** @param total Sum of the costs of all steps, in any unit. */
  constructor(total: number, options: OperationOptions) {
    this.#total = total;
    this.#options = options;
  }

  /** A part of the operation that counts its own steps and costs `cost` in the whole. */
  part(cost: number, total: number): OperationSteps {
    const start = this.#done;
    this.#done += cost;
    const { signal, onProgress } = this.#options;
    return new OperationSteps(total, {
      signal,
      onProgress: onProgress && ((fraction) => onProgress((start + cost * fraction) / this.#total)),
    });
  }

  /** Throws when the operation was cancelled. */
  check(): void {
    this.#options.signal?.throwIfAborted();
  }

  /** Does a step of this cost. */
  async step<T>(cost: number, work: () => Promise<T>): Promise<T> {
    this.check();
    const result = await work();
    this.#done += cost;
    this.#options.onProgress?.(Math.min(this.#done / this.#total, 1));
    return result;
  }
}
