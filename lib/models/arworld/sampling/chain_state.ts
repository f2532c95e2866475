/**
 * The state of a chain of generated blocks. It is immutable; keeping its tensors keeps the state.
 *
 * @module
 */
import type { DeviceTensor } from "../../../compute/tensor/mod.ts";
import type { Geometry } from "../../world/world_model.ts";
import { type BlockCache, cacheTensors, type DecoderHistory, releaseAll, retainAll } from "../../world/device_state.ts";
import type { LabStatistics } from "../lab_transfer.ts";
import type { LatentMemory } from "../latent_memory.ts";

/** A chain between two blocks. */
export interface ChainState {
  readonly geometry: Geometry;
  /** The first latent frame [z,h,w], until the first block is generated from it. */
  readonly firstFrame?: Float32Array;
  /** Committed blocks in the window of the next one, oldest first. */
  readonly context: readonly BlockCache[];
  /** Absent before the first block. */
  readonly decoder?: DecoderHistory;
  /** Color statistics of the last frame shown, if color matching is enabled. */
  readonly colours?: LabStatistics;
  /** The latents of scene memory. */
  readonly memory: LatentMemory;
}

/** Becomes one more owner of the state; returns it. */
export function retainState(state: ChainState): ChainState {
  retainAll(tensorsOf(state));
  return state;
}

/** Releases one ownership of the state. */
export function releaseState(state: ChainState): void {
  releaseAll(tensorsOf(state));
}

/** All tensors of a state; one that it has in two places comes twice. */
export function* tensorsOf(state: ChainState): Generator<DeviceTensor> {
  yield* cacheTensors(state.context);
  if (state.decoder) yield* state.decoder.values();
}
