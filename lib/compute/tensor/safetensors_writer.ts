/**
 * Writes tensors as a safetensors file.
 *
 * @module
 */
import type { DType } from "./dtype.ts";
import { SafetensorsError } from "./safetensors_error.ts";
import { forbiddenNames } from "./safetensors_header.ts";
import { formatShape, sizeOf } from "./shape.ts";
import type { Tensor } from "./tensor.ts";

const stored: Record<DType, string> = { f32: "F32", f16: "F16", bf16: "BF16", i32: "I32", i8: "I8", u8: "U8" };

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
  const sorted = [...tensors].sort(([a, x], [b, y]) =>
    y.data.BYTES_PER_ELEMENT - x.data.BYTES_PER_ELEMENT || (a < b ? -1 : 1)
  );
  const header = new Map<string, unknown>();
  if (metadata.size > 0) header.set("__metadata__", Object.fromEntries(metadata));
  let size = 0;
  for (const [name, t] of sorted) {
    checkTensor(name, t);
    header.set(name, { dtype: stored[t.dtype], shape: t.shape, data_offsets: [size, size += t.data.byteLength] });
  }
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)));
  const headerLength = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(8 + headerLength + size);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(headerLength), true);
  bytes.set(json, 8);
  bytes.fill(0x20, 8 + json.length, 8 + headerLength);
  let at = 8 + headerLength;
  for (const [, t] of sorted) {
    bytes.set(new Uint8Array(t.data.buffer, t.data.byteOffset, t.data.byteLength), at);
    at += t.data.byteLength;
  }
  return bytes;
}

function checkTensor(name: string, t: Tensor): void {
  if (name === "__metadata__" || forbiddenNames.has(name)) {
    throw new SafetensorsError(`Cannot write tensor "${name}": the name is reserved, use another one`);
  }
  if (t.data.length !== sizeOf(t.shape)) {
    throw new SafetensorsError(
      `Cannot write tensor "${name}": it has ${t.data.length} elements, expected ${sizeOf(t.shape)} for shape ${
        formatShape(t.shape)
      }`,
    );
  }
}
