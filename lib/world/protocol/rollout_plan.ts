/**
 * The poses of a rollout, block by block.
 *
 * @module
 */
import {
  type CameraActions,
  chainViews,
  chunkRelativeViews,
  firstFrameRelativeViews,
  LATENTS_PER_BLOCK,
  latentViews,
} from "../../models/arworld/trajectory.ts";
import { type Matrix4, ORIGIN } from "./pose.ts";

/** Three latents that are generated together. */
export interface PlannedBlock {
  /** The camera conditioning: three chunk-relative world-to-camera matrices, `[3, 16]` row-major. */
  readonly views: Float32Array;
  /** World-to-camera poses of the three. */
  readonly poses: readonly Matrix4[];
}

/** The planned trajectory of a rollout. */
export interface RolloutPlan {
  readonly blocks: readonly PlannedBlock[];
  /** World-to-camera pose of the last latent. */
  readonly terminalPose: Matrix4;
}

/**
 * Plans the way of a rollout. Its first view has the pose where the last rollout ended: what the model sees is relative
 * to that, and the world's pose continues from there.
 *
 * @param start World-to-camera pose at the start; the world's origin by default.
 *
 * @example Straight ahead for six latents: 17 steps of 0.075 units
 * ```ts
 * import { planRollout } from "./rollout_plan.ts";
 * const plan = planRollout({ actions: ["w"], weights: [1], latentFrames: 6, speed: 1.5 });
 * console.assert(plan.blocks.length === 2);
 * console.assert(Math.abs(plan.terminalPose[11] - -1.275) < 1e-5);
 * ```
 */
export function planRollout(actions: CameraActions, start: Matrix4 = ORIGIN): RolloutPlan {
  const views = latentViews(actions);
  const conditioning = chunkRelativeViews(views);
  const world = chainViews(firstFrameRelativeViews(views), start);
  const poses = Array.from({ length: actions.latentFrames }, (_, k) => [...world.subarray(16 * k, 16 * k + 16)]);
  const size = LATENTS_PER_BLOCK * 16;
  const blocks = Array.from({ length: actions.latentFrames / LATENTS_PER_BLOCK }, (_, block) => ({
    views: conditioning.slice(block * size, (block + 1) * size),
    poses: poses.slice(block * LATENTS_PER_BLOCK, (block + 1) * LATENTS_PER_BLOCK),
  }));
  return { blocks, terminalPose: poses[poses.length - 1] };
}
