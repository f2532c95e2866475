/**
 * Clean latents of a chain, kept for returns.
 *
 * @module
 */
import { type DeviceTensor, toFloat32 } from "../../compute/tensor/mod.ts";
import type { BlockMemory } from "../world/world_model.ts";
import type { LatentAnchor } from "./latent_anchors.ts";
import { LATENTS_PER_BLOCK } from "./camera/trajectory.ts";

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
