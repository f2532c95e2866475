/**
 * Reads tensors from safetensors files, one at a time and on demand.
 *
 * @module
 */
import { type DType, viewElements } from "./dtype.ts";
import { SafetensorsError } from "./safetensors_error.ts";
import {
  parseSafetensorsHeader,
  safetensorsHeaderLength,
  type StoredDType,
  type StoredTensor,
} from "./safetensors_header.ts";
import { sizeOf } from "./shape.ts";
import { FileTensor } from "./stored_tensor.ts";
import type { Tensor } from "./tensor.ts";

/** Random access to the bytes of a file, wherever it is. */
export interface ByteSource {
  /** Size in bytes. */
  readonly size: number;
  /** Reads exactly `length` bytes from `offset`; the result may be a view of a larger buffer. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The same at once, where the source can. */
  readSync?(offset: number, length: number): Uint8Array;
}

/** A file, or a set of shards, of named tensors. */
export interface TensorFile {
  /** Name for error sentences. */
  readonly name: string;
  /** Text pairs of the file's header. */
  readonly metadata: ReadonlyMap<string, string>;
  /** The stored tensors by name. */
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /**
   * Reads one tensor in its stored type.
   *
   * @throws {SafetensorsError} when there is no such tensor, its type cannot be read or the file is truncated.
   */
  read(name: string): Promise<Tensor>;
  /**
   * The tensor with its elements still in the file: they are read whenever they are asked for. Absent where the source
   * reads asynchronously only.
   *
   * @throws {SafetensorsError} as `read`; reading its elements throws one where the file has become shorter.
   */
  later?(name: string): Tensor;
}

const readable: Partial<Record<StoredDType, DType>> = {
  F32: "f32",
  F16: "f16",
  BF16: "bf16",
  I32: "i32",
  I8: "i8",
  U8: "u8",
};

/**
 * Opens a safetensors file: reads and checks its header, no tensor yet.
 *
 * @param name Name of the file for error sentences.
 * @param file Its bytes, or what reads parts of them.
 * @throws {SafetensorsError} when the header is damaged or hostile.
 *
 * @example
 * ```ts
 * import { encodeSafetensors, f32, openSafetensors } from "@svc/sdk/compute";
 * const bytes = encodeSafetensors(new Map([["w", f32([2, 2], [1, 2, 3, 4])]]));
 * const file = await openSafetensors("model.safetensors", bytes);
 * console.assert((await file.read("w")).data[3] === 4);
 * ```
 */
export async function openSafetensors(name: string, file: ByteSource | Uint8Array): Promise<TensorFile> {
  const source = file instanceof Uint8Array ? byteSource(file) : file;
  const prefix = await readExactly(name, source, 0, Math.min(8, source.size));
  const length = safetensorsHeaderLength(name, prefix, source.size);
  const { metadata, tensors } = parseSafetensorsHeader(
    name,
    await readExactly(name, source, 8, length),
    source.size,
  );
  const find = (tensorName: string) => {
    const stored = tensors.get(tensorName);
    if (!stored) throw new SafetensorsError(`Cannot read tensor "${tensorName}": ${name} does not have it`);
    return stored;
  };
  const { readSync } = source;
  return {
    name,
    metadata,
    tensors,
    read: async (tensorName) => await readTensor(name, source, find(tensorName)),
    ...readSync && {
      later(tensorName: string) {
        const stored = find(tensorName);
        return new FileTensor(readableType(name, stored), stored.shape, (offset, length) => {
          const at = stored.offset + offset;
          return whole(name, readSync(at, length), at, length);
        });
      },
    },
  };
}

/** The bytes of a file in memory; tensors are read from it without a copy if aligned. */
export function byteSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

async function readTensor(file: string, source: ByteSource, stored: StoredTensor): Promise<Tensor> {
  const dtype = readableType(file, stored);
  const bytes = await readExactly(file, source, stored.offset, stored.byteLength);
  // Offsets need not be aligned in this format: viewElements copies those that are not.
  const data = viewElements(dtype, bytes.buffer, bytes.byteOffset, sizeOf(stored.shape));
  return { dtype, shape: stored.shape, data };
}

function readableType(file: string, stored: StoredTensor): DType {
  const dtype = readable[stored.dtype];
  if (!dtype) {
    throw new SafetensorsError(
      `Cannot read tensor "${stored.name}" of ${file}: its type is ${stored.dtype}, expected one of ${
        Object.keys(readable).join(", ")
      }`,
    );
  }
  if (stored.byteLength === 0) {
    throw new SafetensorsError(`Cannot read tensor "${stored.name}" of ${file}: it has no elements`);
  }
  return dtype;
}

async function readExactly(file: string, source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  return whole(file, await source.read(offset, length), offset, length);
}

function whole(file: string, bytes: Uint8Array, offset: number, length: number): Uint8Array {
  if (bytes.length !== length) {
    throw new SafetensorsError(
      `Cannot read ${file}: got ${bytes.length} bytes at byte ${offset}, expected ${length}, the file is truncated`,
    );
  }
  return bytes;
}
