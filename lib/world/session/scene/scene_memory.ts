/**
 * Scene memory: stores what a world looked like, so that it looks the same when the camera returns.
 * This module handles poses only; the model keeps the latents.
 *
 * @module
 */
import type { BlockMemory } from "../../../models/world/world_model.ts";
import type { Matrix4 } from "../../protocol/pose.ts";
import { type RevisitRule, ROUNDING, WHOLE_ROTATION } from "./revisit_rule.ts";
import type { SceneMemoryPolicyRecord } from "../../protocol/wire.ts";

/** A latent that the model keeps. */
export interface MemoryEntry {
  /** Global index in the chain. */
  readonly latent: number;
  /** World-to-camera pose. */
  readonly pose: Matrix4;
}

/** The memory of a chain; immutable. */
export interface SceneMemory {
  /** Oldest first. */
  readonly entries: readonly MemoryEntry[];
  /** Returns so far that matched a stored latent. */
  readonly retrievals: number;
  /** Returns so far whose latent was restored exactly. */
  readonly recycled: number;
}

/** The memory of a new chain. */
export const NO_MEMORIES: SceneMemory = { entries: [], retrievals: 0, recycled: 0 };

/** The result of passing a block through the memory. */
export interface MemoryVisit {
  /** The memory after the block. */
  readonly memory: SceneMemory;
  /** What the model is conditioned on. */
  readonly block: BlockMemory;
}

/**
 * Looks up the poses of a block among the latents stored before it, then stores those that are new.
 *
 * A return to the same place restores its latent completely, one to a near place is drawn towards it with the policy's
 * strength; at strength 0 returns are only counted. The first latent seen at a place stays the one that is stored for
 * it. When the memory is full the oldest latent leaves, but never the origin.
 *
 * @param firstLatent Global index of the first pose. The latent 0 of a chain is its source image and never a return.
 * @param poses World-to-camera poses of the block's latents.
 *
 * @example A camera that comes back to where it started
 * ```ts
 * import { ORIGIN } from "../../protocol/pose.ts";
 * import { DEFAULT_SCENE_MEMORY } from "../../protocol/scene_memory_policy.ts";
 * import { NO_MEMORIES, visitBlock } from "./scene_memory.ts";
 * const at = (x: number) => ORIGIN.with(3, -x);
 * const out = visitBlock(NO_MEMORIES, DEFAULT_SCENE_MEMORY, 0, [at(0), at(1), at(2)]);
 * const back = visitBlock(out.memory, DEFAULT_SCENE_MEMORY, 3, [at(3), at(2.05), at(0)]);
 * console.assert(back.block.recall[0].strength === 1); // frame 2 is the origin again
 * console.assert(back.memory.retrievals === 1); // latent 2 is near frame 1, but only two latents ago
 * ```
 */
export function visitBlock(
  memory: SceneMemory,
  policy: SceneMemoryPolicyRecord,
  firstLatent: number,
  poses: readonly Matrix4[],
  rule: RevisitRule = WHOLE_ROTATION,
): MemoryVisit {
  if (policy.mode === "disabled") return { memory, block: { recall: [], store: [], forget: [] } };
  const strength = policy.recyclingStrength;
  const returns = poses.flatMap((pose, frame) => {
    const entry = findReturn(memory.entries, policy, rule, firstLatent + frame, pose);
    return entry ? [{ frame, latent: entry.latent, exact: rule.isSame(policy, pose, entry.pose) }] : [];
  });
  const entries = poses.reduce(
    (kept, pose, frame) => remember(kept, policy, rule, { latent: firstLatent + frame, pose }),
    memory.entries,
  );
  return {
    memory: {
      entries,
      retrievals: memory.retrievals + returns.length,
      recycled: memory.recycled + (strength > 0 ? returns.filter(({ exact }) => exact).length : 0),
    },
    block: {
      recall: strength > 0
        ? returns.map(({ frame, latent, exact }) => ({ frame, latent, strength: exact ? 1 : strength }))
        : [],
      store: entries.filter((entry) => !memory.entries.includes(entry))
        .map(({ latent }) => ({ frame: latent - firstLatent, latent })),
      forget: memory.entries.filter((entry) => !entries.includes(entry)).map(({ latent }) => latent),
    },
  };
}

function findReturn(
  entries: readonly MemoryEntry[],
  policy: SceneMemoryPolicyRecord,
  rule: RevisitRule,
  target: number,
  pose: Matrix4,
): MemoryEntry | undefined {
  if (target === 0) return undefined;
  const gap = rule.requiredGap(policy, target);
  let best: { readonly entry: MemoryEntry; readonly cost: number } | undefined;
  for (const entry of entries) {
    if (target - entry.latent < gap || !rule.isNear(policy, pose, entry.pose)) continue;
    const cost = rule.cost(pose, entry.pose);
    if (!best || cost < best.cost - ROUNDING) best = { entry, cost };
  }
  return best?.entry;
}

/** The entries with one more, unless its pose is already known. */
function remember(
  entries: readonly MemoryEntry[],
  policy: SceneMemoryPolicyRecord,
  rule: RevisitRule,
  entry: MemoryEntry,
): readonly MemoryEntry[] {
  const capacity = policy.maximumFrameCount;
  if (capacity === 0 || entries.some(({ pose }) => rule.isSame(policy, entry.pose, pose))) return entries;
  const kept = [...entries, entry];
  return kept.length > capacity ? kept.toSpliced(1, 1) : kept;
}
