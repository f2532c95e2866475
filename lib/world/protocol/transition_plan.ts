/**
 * Plans a transition: a camera move as action keys over whole blocks.
 *
 * @module
 */
import { LATENTS_PER_BLOCK } from "../../models/arworld/trajectory.ts";
import type { Matrix4 } from "./pose.ts";
import { planRollout, type RolloutPlan } from "./rollout_plan.ts";
import type { CameraRecord } from "./job_record.ts";

/** Model-space rate of every transition: the magnitudes of a request are not calibrated distances. */
const SPEED = 1.5;
/** New frames of a block: its first latent decodes to one frame at the start of a chain. */
const FIRST_BLOCK_FRAMES = 9;
const BLOCK_FRAMES = 12;

/** The blocks of a transition. */
export interface CameraPlan extends RolloutPlan {
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
 * The keys of a camera move: one for each named motion, for a custom one the signs of its components; a space for none.
 *
 * @example
 * ```ts
 * import { cameraAction } from "./transition_plan.ts";
 * const camera = { motion: "custom", translation_meters: [0.2, 0, -1], rotation_degrees: [3, 0, 0] } as const;
 * console.assert(cameraAction(camera) === "sdi");
 * ```
 */
export function cameraAction(
  { motion, translation_meters: [x, , z], rotation_degrees: [rx, ry] }: CameraRecord,
): string {
  const key = (value: number, plus: string, minus: string) => value > 0 ? plus : value < 0 ? minus : "";
  switch (motion) {
    case "hold":
      return " ";
    case "forward":
      return "w";
    case "backward":
      return "s";
    case "strafeLeft":
      return "a";
    case "strafeRight":
      return "d";
    case "yawLeft":
      return "j";
    case "yawRight":
      return "l";
    case "custom":
      return key(z, "w", "s") + key(x, "d", "a") + key(rx, "i", "k") + key(ry, "l", "j") || " ";
  }
}
