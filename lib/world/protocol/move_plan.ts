/**
 * The poses of moves on an arworld, block by block: of a rollout, and of a transition as keys over whole blocks.
 *
 * @module
 */
import {
  type CameraStep,
  chainViews,
  chunkRelativeViews,
  firstFrameRelativeViews,
  LATENTS_PER_BLOCK,
  latentViews,
} from "../../models/arworld/trajectory.ts";
import { type Matrix4, ORIGIN } from "./pose.ts";
import { unitsOfKeys } from "./camera_keys.ts";
import type { CameraRecord } from "./job_record.ts";
import { KEY_MOTIONS, type KeyMotion, MOTION_TABLE, type Triple } from "./motion_table.ts";

/** Model-space rate of every transition: the magnitudes of a request are not calibrated distances. */
const SPEED = 1.5;
/** New frames of a block: its first latent decodes to one frame at the start of a chain. */
const FIRST_BLOCK_FRAMES = 9;
const BLOCK_FRAMES = 12;

/** Three latents that are generated together. */
export interface PlannedBlock {
  /** The camera conditioning: three chunk-relative world-to-camera matrices, `[3, 16]` row-major. */
  readonly views: Float32Array;
  /** World-to-camera poses of the three. */
  readonly poses: readonly Matrix4[];
}

/** A way by keys. */
interface KeyPath {
  /** The keys held in each segment; other characters do nothing. */
  readonly actions: readonly string[];
  /** Relative durations of the segments, positive; one per action. */
  readonly weights: readonly number[];
  /** Length of the way in latent frames. */
  readonly latentFrames: number;
  /** Model-space rate. */
  readonly speed: number;
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
 * import { planRollout } from "./move_plan.ts";
 * const plan = planRollout({ actions: ["w"], weights: [1], latentFrames: 6, speed: 1.5 });
 * console.assert(plan.blocks.length === 2);
 * console.assert(Math.abs(plan.terminalPose[11] - -1.275) < 1e-5);
 * ```
 */
export function planRollout({ actions, weights, latentFrames, speed }: KeyPath, start: Matrix4 = ORIGIN): RolloutPlan {
  const views = latentViews({ steps: actions.map(stepOfKeys), weights, latentFrames, speed });
  const conditioning = chunkRelativeViews(views);
  const world = chainViews(firstFrameRelativeViews(views), start);
  const poses = Array.from({ length: latentFrames }, (_, k) => [...world.subarray(16 * k, 16 * k + 16)]);
  const size = LATENTS_PER_BLOCK * 16;
  const blocks = Array.from({ length: latentFrames / LATENTS_PER_BLOCK }, (_, block) => ({
    views: conditioning.slice(block * size, (block + 1) * size),
    poses: poses.slice(block * LATENTS_PER_BLOCK, (block + 1) * LATENTS_PER_BLOCK),
  }));
  return { blocks, terminalPose: poses[poses.length - 1] };
}

/** What an arworld does for keys that are held together; it cannot rise, sink or roll. */
export function stepOfKeys(keys: string): CameraStep {
  const { translation: [right, , forward], rotation: [pitch, yaw] } = unitsOfKeys(keys);
  return { right, forward, pitch, yaw };
}

/** The blocks of a transition. */
interface CameraPlan extends RolloutPlan {
  /** Keys held throughout; a space for none. */
  readonly action: string;
}

/**
 * Plans the fewest blocks whose new frames reach `numFrames`.
 *
 * @param fresh Whether the chain starts here.
 * @param start World-to-camera pose at the start.
 */
export function planTransition(
  camera: CameraRecord,
  numFrames: number,
  fresh: boolean,
  start: Matrix4,
): CameraPlan {
  const blocks = fresh
    ? 1 + Math.ceil(Math.max(0, numFrames - FIRST_BLOCK_FRAMES) / BLOCK_FRAMES)
    : Math.ceil(numFrames / BLOCK_FRAMES);
  const action = cameraAction(camera);
  const actions = { actions: [action], weights: [1], latentFrames: blocks * LATENTS_PER_BLOCK, speed: SPEED };
  return { ...planRollout(actions, start), action };
}

/**
 * The keys of a camera move: one for each named motion, for a custom one those along whose axes it goes; a space for
 * none. Right 0.2, back 1 and up 3 degrees are `sdi`.
 */
function cameraAction({ motion, translationMeters, rotationDegrees }: CameraRecord): string {
  const { key } = MOTION_TABLE[motion];
  if (key !== undefined) return key;
  const along = ({ translation, rotation }: KeyMotion): number =>
    dot(translation, translationMeters) + dot(rotation, rotationDegrees);
  return [...KEY_MOTIONS.values()].filter((move) => along(move) > 0).map((move) => move.key).join("") || " ";
}

function dot(a: Triple, b: Triple): number {
  return a.reduce((sum, part, axis) => sum + part * b[axis], 0);
}
