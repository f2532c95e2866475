/**
 * Scene memory: clean latents of a chain that are kept for returns, and towards which a later block is drawn during
 * denoising.
 *
 * @module
 */
import {
  add,
  type DeviceTensor,
  f32,
  type Graph,
  mul,
  type Shape,
  sizeOf,
  type Tensor,
  toFloat32,
  type Value,
} from "../../compute/tensor/mod.ts";
import type { BlockMemory } from "../world/world_model.ts";
import { LATENTS_PER_BLOCK } from "./trajectory.ts";

/** Kept latents [z,h,w] by their global index. States share the latents, which are immutable. */
export type LatentMemory = ReadonlyMap<number, Float32Array>;

/**
 * The anchors of a block.
 *
 * @throws {Error} when a latent is not kept
 */
export function recallLatents(memory: LatentMemory, recall: BlockMemory["recall"]): LatentAnchor[] {
  return recall.map(({ frame, latent: index, strength }) => {
    const latent = memory.get(index);
    if (!latent) throw new Error(`Cannot recall latent ${index}: this chain has not kept it`);
    return { frame, latent, strength };
  });
}

/** The memory after a block with these latents [3,z,h,w]. */
export async function rememberLatents(
  memory: LatentMemory,
  { store, forget }: Pick<BlockMemory, "store" | "forget">,
  latents: DeviceTensor,
): Promise<LatentMemory> {
  if (store.length === 0 && forget.length === 0) return memory;
  const next = new Map(memory);
  for (const latent of forget) next.delete(latent);
  if (store.length > 0) {
    const data = toFloat32(await latents.read());
    const size = data.length / LATENTS_PER_BLOCK;
    for (const { frame, latent } of store) next.set(latent, data.slice(frame * size, (frame + 1) * size));
  }
  return next;
}

/** A known latent for one frame of a block. */
export interface LatentAnchor {
  /** 0 to 2. */
  readonly frame: number;
  /** [z,h,w] */
  readonly latent: Float32Array;
  /** 0 changes nothing, 1 replaces the frame by the latent. */
  readonly strength: number;
}

/**
 * x0 = (1 - strength) x0 + strength anchor, with both weights as inputs, so that the weights 1 and 0 give one side bit
 * for bit. Adds the inputs that {@linkcode anchorFeeds} feeds; `clean` is [3,z,h,w].
 */
export function drawTowards(clean: Value, graph: Pick<Graph, "input">): Value {
  const weight = (name: string) => graph.input(name, [LATENTS_PER_BLOCK, 1, 1, 1]);
  const anchor = graph.input("anchor", clean.shape);
  return add(mul(weight("anchorKeep"), clean), mul(weight("anchorStrength"), anchor));
}

/** Feeds of {@linkcode drawTowards}; frames without an anchor are unchanged. `shape` is [3,z,h,w]. */
export function anchorFeeds(anchors: readonly LatentAnchor[], shape: Shape): Record<string, Tensor> {
  const known = new Float32Array(sizeOf(shape));
  const strengths = new Float32Array(LATENTS_PER_BLOCK);
  for (const { frame, latent, strength } of anchors) {
    known.set(latent, frame * latent.length);
    strengths[frame] = strength;
  }
  const weights = [LATENTS_PER_BLOCK, 1, 1, 1];
  return {
    anchor: f32(shape, known),
    anchorKeep: f32(weights, strengths.map((strength) => 1 - strength)),
    anchorStrength: f32(weights, strengths),
  };
}
