/**
 * Token embeddings.
 *
 * @module
 */
import { dequantize, f32, type Tensor, tensorPart, toFloat32 } from "../../compute/tensor/mod.ts";
import { isQuantized, type StoredWeight } from "./stored_weight.ts";

/**
 * Rows of an embedding table [vocabulary,D] as 32-bit floats [length,D], zero after the last id. The table is large and
 * few rows are used, so it is never uploaded.
 *
 * @throws {Error} when an id is not in the table.
 */
export function embeddingRows(table: StoredWeight, ids: ArrayLike<number>, length: number): Tensor {
  const [count, width] = table.shape;
  const rows = new Float32Array(length * width);
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] >= count) {
      throw new Error(`Cannot encode the prompt: token ${ids[i]} is out of range, expected an id below ${count}`);
    }
    rows.set(rowOf(table, ids[i]), i * width);
  }
  return f32([length, width], rows);
}

function rowOf(table: StoredWeight, id: number): Float32Array {
  if (isQuantized(table)) return dequantize(table, id, 1).data;
  const [, width] = table.shape;
  return toFloat32(tensorPart(table, [width], id * width));
}
