/**
 * Reads tensors from safetensors files, one at a time and on demand, also of a model that is split into several files
 * listed by a `*.index.json`.
 *
 * @module
 */
import { parseBoundedJson, repeatedJsonKey } from "../../json/json_text.ts";
import {
  parseSafetensorsHeader,
  SafetensorsError,
  safetensorsHeaderLength,
  type StoredDType,
  type StoredTensor,
} from "./safetensors_header.ts";
import { sizeOf } from "./shape.ts";
import { FileTensor } from "./stored_tensor.ts";
import { type DType, type Tensor, viewElements } from "./tensor.ts";

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

/**
 * Opens all shards of an index as one file of tensors.
 *
 * @param name Name of the index for error sentences.
 * @param index Text of the index: `{"weight_map": {tensor: shard file}}`.
 * @param openShard Opens a shard by its file name, which is always a plain name beside the index. Called for every
 * shard, even when one could not be opened.
 * @throws {SafetensorsError} when the index is malformed or a shard lacks a tensor that the index places there.
 */
export async function openShardedSafetensors(
  name: string,
  index: string,
  openShard: (file: string) => Promise<ByteSource>,
): Promise<TensorFile> {
  const places = parseIndex(name, index);
  const files = [...new Set(places.values())];
  const results = await Promise.allSettled(
    files.map(async (file) => await openSafetensors(file, await openShard(file))),
  );
  const opened = results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
  const shards = new Map(files.map((file, i) => [file, opened[i]]));
  const tensors = new Map<string, StoredTensor>();
  for (const [tensor, file] of places) {
    const stored = shards.get(file)!.tensors.get(tensor);
    if (!stored) fail(name, `it places tensor "${tensor}" in ${file}, which does not have it`);
    tensors.set(tensor, stored);
  }
  const shardOf = (tensor: string): TensorFile => {
    const file = places.get(tensor);
    if (file !== undefined) return shards.get(file)!;
    throw new SafetensorsError(`Cannot read tensor "${tensor}": ${name} does not have it`);
  };
  return {
    name,
    metadata: new Map(opened.flatMap((shard) => [...shard.metadata])),
    tensors,
    read: async (tensor) => await shardOf(tensor).read(tensor),
    // A shard that is small enough to be in memory has no `later`: all of them are then read at once.
    ...opened.every((shard) => shard.later) && { later: (tensor: string) => shardOf(tensor).later!(tensor) },
  };
}

function parseIndex(name: string, text: string): Map<string, string> {
  let root: { weight_map?: unknown } | null;
  try {
    root = parseBoundedJson(text) as typeof root;
  } catch (cause) {
    throw new SafetensorsError(`Cannot read ${name}: it is not JSON, the file is damaged`, { cause });
  }
  const repeated = repeatedJsonKey(text);
  if (repeated !== undefined) fail(name, `it has the key "${repeated}" twice in one object`);
  const map = root?.weight_map;
  if (typeof map !== "object" || map === null || Array.isArray(map)) {
    fail(name, `"weight_map" is missing or not an object, expected tensor names with their files`);
  }
  const places = new Map<string, string>();
  for (const [tensor, file] of Object.entries(map)) {
    if (typeof file !== "string" || !/^[\w.-]+\.safetensors$/.test(file)) {
      fail(name, `the file of tensor "${tensor}" is ${JSON.stringify(file)}, expected a plain name *.safetensors`);
    }
    places.set(tensor, file);
  }
  return places;
}

function fail(name: string, reason: string): never {
  throw new SafetensorsError(`Cannot read ${name}: ${reason}`);
}
