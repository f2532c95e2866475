/**
 * Writes tensors as a safetensors file.
 *
 * @module
 */
import {
  bytesPerStored,
  forbiddenNames,
  SafetensorsError,
  type StoredDType,
  type StoredTensor,
} from "./safetensors_header.ts";
import { formatShape, sizeOf } from "./shape.ts";
import type { DType, Tensor } from "./tensor.ts";

const stored: Record<DType, StoredDType> = { f32: "F32", f16: "F16", bf16: "BF16", i32: "I32", i8: "I8", u8: "U8" };

/**
 * Encodes tensors as the bytes of a safetensors file.
 *
 * The widest types come first, then names in code unit order, so that every tensor is aligned and the same tensors
 * always give the same bytes.
 *
 * @throws {SafetensorsError} when a name is reserved or an array does not fit its shape.
 *
 * @example
 * ```ts
 * import { encodeSafetensors, f32 } from "@svc/sdk/compute";
 * const bytes = encodeSafetensors(new Map([["w", f32([2], [1, 2])]]), new Map([["format", "pt"]]));
 * console.assert(bytes.length % 8 === 0);
 * ```
 */
export function encodeSafetensors(
  tensors: ReadonlyMap<string, Tensor>,
  metadata: ReadonlyMap<string, string> = new Map(),
): Uint8Array<ArrayBuffer> {
  for (const [name, t] of tensors) checkTensor(name, t);
  const entries = Array.from(tensors, ([name, t]) => ({
    ...{ name, dtype: stored[t.dtype], shape: t.shape, byteLength: t.data.byteLength, data: t.data },
  }));
  const { bytes: head, order } = safetensorsHead(entries, metadata);
  const bytes = new Uint8Array(head.length + order.reduce((sum, { byteLength }) => sum + byteLength, 0));
  bytes.set(head);
  let at = head.length;
  for (const { data } of order) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

/**
 * What precedes the elements in a safetensors file, and the tensors in the order in which their elements follow.
 *
 * @throws {SafetensorsError} when a name is reserved.
 */
export function safetensorsHead<T extends Omit<StoredTensor, "offset">>(
  tensors: readonly T[],
  metadata: ReadonlyMap<string, string>,
): { readonly bytes: Uint8Array; readonly order: readonly T[] } {
  const order = [...tensors].sort((a, b) =>
    bytesPerStored(b.dtype) - bytesPerStored(a.dtype) || (a.name < b.name ? -1 : 1)
  );
  const header = new Map<string, unknown>();
  if (metadata.size > 0) header.set("__metadata__", Object.fromEntries(metadata));
  let size = 0;
  for (const { name, dtype, shape, byteLength } of order) {
    if (name === "__metadata__" || forbiddenNames.has(name)) {
      throw new SafetensorsError(`Cannot write tensor "${name}": the name is reserved, use another one`);
    }
    header.set(name, { dtype, shape, data_offsets: [size, size += byteLength] });
  }
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)));
  const bytes = new Uint8Array(8 + Math.ceil(json.length / 8) * 8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(bytes.length - 8), true);
  bytes.set(json, 8);
  bytes.fill(0x20, 8 + json.length);
  return { bytes, order };
}

function checkTensor(name: string, t: Tensor): void {
  if (t.data.length === sizeOf(t.shape)) return;
  throw new SafetensorsError(
    `Cannot write tensor "${name}": it has ${t.data.length} elements, expected ${sizeOf(t.shape)} for shape ${
      formatShape(t.shape)
    }`,
  );
}
