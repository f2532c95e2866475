/**
 * What the records of an arworld have besides.
 *
 * @module
 */
import { LATENTS_PER_BLOCK } from "../../../models/arworld/trajectory.ts";
import { poseRecord } from "../../protocol/pose.ts";
import type { CheckpointRecord } from "../../protocol/wire.ts";
import type { Scene } from "./scene.ts";

/** Clean latents that the decoder needs to continue. */
const RETAINED_LATENTS = 3;

/** What snapshots and checkpoints of an arworld say about a scene. */
export function latentCounts(
  { depth, pose, memory }: Scene,
): Pick<
  CheckpointRecord,
  | "generated_latent_frame_count"
  | "retained_latent_frame_count"
  | "current_world_pose"
  | "scene_memory_frame_count"
> {
  const latents = depth * LATENTS_PER_BLOCK;
  return {
    generated_latent_frame_count: latents,
    retained_latent_frame_count: Math.min(RETAINED_LATENTS, latents),
    current_world_pose: poseRecord(pose),
    scene_memory_frame_count: memory.entries.length,
  };
}
