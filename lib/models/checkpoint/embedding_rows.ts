/**
 * Token embeddings.
 *
 * @module
 */
import { f32, type Tensor, tensor, toFloat32, viewElements } from "../../compute/tensor/mod.ts";

/**
 * Rows of an embedding table [vocabulary,D] as 32-bit floats [length,D], zero after the last id. The table is large and
 * its rows are few, so it never goes to the device.
 *
 * @throws {Error} when an id is not in the table.
 */
export function embeddingRows(table: Tensor, ids: ArrayLike<number>, length: number): Tensor {
  const [count, width] = table.shape;
  const rows = new Float32Array(length * width);
  const { buffer, byteOffset, BYTES_PER_ELEMENT: bytes } = table.data;
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] >= count) throw new Error(`Cannot encode the prompt: token ${ids[i]} is not among the ${count} known`);
    const row = viewElements(table.dtype, buffer, byteOffset + ids[i] * width * bytes, width);
    rows.set(toFloat32(tensor(table.dtype, [width], row)), i * width);
  }
  return f32([length, width], rows);
}
