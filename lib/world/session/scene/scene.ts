/**
 * What a state of the session shows, and what records of an arworld say of it.
 *
 * @module
 */
import type { RgbImage } from "../../../media/images/rgb_image.ts";
import { type Matrix4, poseRecord } from "../../protocol/pose.ts";
import type { SceneMemory } from "./scene_memory.ts";
import type { Geometry } from "../../../models/world/world_model.ts";
import { LATENTS_PER_BLOCK } from "../../../models/arworld/trajectory.ts";
import type { CheckpointRecord } from "../../protocol/wire.ts";

/** Clean latents that the decoder needs to continue. */
const RETAINED_LATENTS = 3;

/** The image that a session shows. */
export interface ShownFrame {
  readonly image: RgbImage;
  /** PNG in the state directory. */
  readonly path: string;
  /** The job whose terminal frame it is; undefined for a source image. */
  readonly jobId?: string;
}

/** Everything that returning to a state restores, apart from the model's own state. */
export interface Scene {
  readonly frame: ShownFrame | undefined;
  /** Size of the chain's frames; undefined until a chain has been generated. */
  readonly geometry: Geometry | undefined;
  /** Blocks or clips generated in the chain: what the effective seed counts. */
  readonly depth: number;
  /** World-to-camera pose of the shown frame. */
  readonly pose: Matrix4;
  readonly memory: SceneMemory;
}

/** What snapshots and checkpoints of an arworld say about a scene. */
export function latentCounts(
  { depth, pose, memory }: Scene,
): Pick<
  CheckpointRecord,
  | "generatedLatentFrameCount"
  | "retainedLatentFrameCount"
  | "currentWorldPose"
  | "sceneMemoryFrameCount"
> {
  const latents = depth * LATENTS_PER_BLOCK;
  return {
    generatedLatentFrameCount: latents,
    retainedLatentFrameCount: Math.min(RETAINED_LATENTS, latents),
    currentWorldPose: poseRecord(pose),
    sceneMemoryFrameCount: memory.entries.length,
  };
}
