/**
 * Reads a model split into several safetensors files listed by a `*.index.json`.
 *
 * @module
 */
import { parseBoundedJson, repeatedJsonKey } from "../../json/json_text.ts";
import { SafetensorsError } from "./safetensors_error.ts";
import type { StoredTensor } from "./safetensors_header.ts";
import { type ByteSource, openSafetensors, type TensorFile } from "./safetensors_reader.ts";

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
