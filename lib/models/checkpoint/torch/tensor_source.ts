/**
 * Tensors of a checkpoint, whatever its format.
 *
 * @module
 */
import type { StoredDType } from "../../../compute/tensor/mod.ts";

/** A tensor that can be read. */
export interface CheckpointTensor {
  readonly name: string;
  readonly dtype: StoredDType;
  readonly shape: readonly number[];
  readonly byteLength: number;
  /** Its elements, row by row, little-endian, in parts. */
  read(): AsyncIterable<Uint8Array>;
}

/** The tensors of a checkpoint. */
export interface TensorSource {
  readonly tensors: readonly CheckpointTensor[];
}
