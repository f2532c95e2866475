/**
 * Tensors on the device that are kept between blocks.
 *
 * @module
 */
import type { DeviceTensor } from "../../compute/tensor/mod.ts";

/** Keys and values of one block of frames, or of a prompt, in one layer. */
export interface LayerCache {
  readonly k: DeviceTensor;
  readonly v: DeviceTensor;
}

/** Keys and values by layer. */
export type BlockCache = readonly LayerCache[];

/** What a streaming decoder remembers, by the name of the program's input and output. */
export type DecoderHistory = ReadonlyMap<string, DeviceTensor>;

/** Adds an owner to every tensor. */
export function retainAll(tensors: Iterable<DeviceTensor>): void {
  for (const t of tensors) t.retain();
}

/** Gives up one ownership of every tensor. */
export function releaseAll(tensors: Iterable<DeviceTensor>): void {
  for (const t of tensors) t.release();
}

/** All tensors of caches. */
export function* cacheTensors(caches: Iterable<BlockCache>): Generator<DeviceTensor> {
  for (const layers of caches) {
    for (const { k, v } of layers) {
      yield k;
      yield v;
    }
  }
}

/** Feeds of a program whose inputs are `<name>.k.<layer>` and `<name>.v.<layer>`. */
export function cacheFeeds(name: string, cache: BlockCache): Record<string, DeviceTensor> {
  const feeds: Record<string, DeviceTensor> = {};
  cache.forEach(({ k, v }, layer) => {
    feeds[`${name}.k.${layer}`] = k;
    feeds[`${name}.v.${layer}`] = v;
  });
  return feeds;
}

/** The cache that a program gave out as `<name>.k.<layer>` and `<name>.v.<layer>`. */
export function cacheOutputs(
  name: string,
  layers: number,
  outputs: Readonly<Record<string, DeviceTensor>>,
): BlockCache {
  return Array.from({ length: layers }, (_, layer) => ({
    k: outputs[`${name}.k.${layer}`],
    v: outputs[`${name}.v.${layer}`],
  }));
}
