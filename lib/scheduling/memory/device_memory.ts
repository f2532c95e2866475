/**
 * Memory of a GPU.
 *
 * @module
 */
import { evictionOrder, type IdleModel } from "./eviction_order.ts";

/** What a GPU has, and what loaded models take of it; bytes. */
export interface DeviceMemory {
  readonly totalBytes: number;
  /** Of the text models that are loaded on it. */
  readonly modelBytes: number;
}

/** The part of it for weights: the rest is for contexts, and for the screen. */
const SHARE = 0.9;

/**
 * The idle model to unload before a load of `bytes`. Undefined when there is room; when the model is too large even
 * alone, or those in use leave too little, its library puts it, or a part of it, on the CPU, whose memory has been
 * reserved for it.
 */
export function crowdedOut(
  device: DeviceMemory | undefined,
  bytes: number,
  idle: readonly IdleModel[],
): IdleModel | undefined {
  if (device === undefined || bytes > SHARE * device.totalBytes) return undefined;
  if (device.modelBytes + bytes <= SHARE * device.totalBytes) return undefined;
  return evictionOrder("text", "nominal", idle.filter(({ onDevice }) => onDevice === true))[0];
}
