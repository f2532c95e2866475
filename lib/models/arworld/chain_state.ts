/**
 * Where a chain of generated blocks stands. A state never changes; keeping its tensors is keeping the state.
 *
 * @module
 */
import type { DeviceTensor } from "../../compute/tensor/mod.ts";
import type { Geometry } from "../world/world_model.ts";
import { type BlockCache, cacheTensors, type DecoderHistory, releaseAll, retainAll } from "../world/device_state.ts";
import type { LabStatistics } from "./lab_transfer.ts";
import type { LatentMemory } from "./latent_memory.ts";

/** A chain between two blocks. */
export interface ChainState {
  readonly geometry: Geometry;
  /** The first latent frame [z,h,w], until the first block is generated from it. */
  readonly firstFrame?: Float32Array;
  /** Committed blocks that the next one sees, oldest first. */
  readonly context: readonly BlockCache[];
  /** Absent before the first block. */
  readonly decoder?: DecoderHistory;
  /** Colours of the last frame shown, where colours are matched. */
  readonly colours?: LabStatistics;
  /** What scene memory keeps. */
  readonly memory: LatentMemory;
}

/** Becomes one more owner of the state; returns it. */
export function retainState(state: ChainState): ChainState {
  retainAll(tensorsOf(state));
  return state;
}

/** Gives up one ownership of the state. */
export function releaseState(state: ChainState): void {
  releaseAll(tensorsOf(state));
}

function* tensorsOf(state: ChainState): Generator<DeviceTensor> {
  yield* cacheTensors(state.context);
  if (state.decoder) yield* state.decoder.values();
}
