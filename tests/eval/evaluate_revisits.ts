/**
 * Does a place look the same after walking away and back? Everything is generated, as sessions generate rollouts and
 * moves; what a session would replay, the exact inverse of its last move, is not measured here.
 *
 * @module
 */
import { frameAt, type RgbImage } from "../../lib/media/images/rgb_image.ts";
import { LATENTS_PER_BLOCK } from "../../lib/models/arworld/trajectory.ts";
import type { ClipModel } from "../../lib/models/world/clip_model.ts";
import type { Geometry, WorldModel } from "../../lib/models/world/world_model.ts";
import { clipPoses } from "../../lib/world/backends/clip_poses.ts";
import { cameraOfKeys } from "../../lib/world/protocol/camera_keys.ts";
import { planRollout } from "../../lib/world/protocol/move_plan.ts";
import { type Matrix4, ORIGIN } from "../../lib/world/protocol/pose.ts";
import { effectiveSeed } from "../../lib/world/protocol/requests/move_fields.ts";
import type { SceneMemoryPolicyRecord } from "../../lib/world/protocol/wire.ts";
import { positionDistance, rotationAngle } from "../../lib/world/session/scene/revisit_rule.ts";
import { NO_MEMORIES, visitBlock } from "../../lib/world/session/scene/scene_memory.ts";
import { MOVE_FRAMES, MOVES, rowsOf } from "./clip_walks.ts";
import { SPEED } from "./eval_scenes.ts";
import { framePsnr, meanOf } from "./frame_measures.ts";

/** Keys of the way out and of the way back, each held for the same number of blocks. */
export const MOTIONS = {
  forward: { out: ["w"], back: ["s"] },
  strafe: { out: ["d"], back: ["a"] },
  yaw: { out: ["l"], back: ["j"] },
  rectangle: { out: ["w", "d"], back: ["s", "a"] },
} as const satisfies Record<string, { readonly out: readonly string[]; readonly back: readonly string[] }>;

/** One of {@linkcode MOTIONS}. */
export type MotionName = keyof typeof MOTIONS;

/** What a walk begins with. */
export interface WalkFrom {
  readonly image: RgbImage;
  readonly prompt: string;
  readonly seed: bigint;
}

/** What a world shows where a walk has ended. */
export interface View {
  readonly image: RgbImage;
  /** World-to-camera pose, as sessions compute it. */
  readonly pose: Matrix4;
}

/** A world that is walked by keys. */
export interface Walker {
  /** Forgets the walk before and starts from an image. */
  begin(from: WalkFrom): Promise<void>;
  /** Holds keys for a number of blocks; on an actionworld, repeats their move. */
  walk(keys: string, blocks: number): Promise<View>;
}

/** Walks an arworld: each walk is a rollout, scene memory follows the policy. */
export function arworldWalker(model: WorldModel, size: Geometry, policy: SceneMemoryPolicyRecord): Walker {
  let { prompt, seed } = { prompt: "", seed: 0n };
  let [pose, memory, depth] = [ORIGIN, NO_MEMORIES, 0];
  return {
    async begin({ image, ...from }) {
      ({ prompt, seed } = from);
      [pose, memory, depth] = [ORIGIN, NO_MEMORIES, 0];
      await model.begin(image, size);
    },
    async walk(keys, blocks) {
      const latentFrames = LATENTS_PER_BLOCK * blocks;
      const plan = planRollout({ actions: [keys], weights: [1], latentFrames, speed: SPEED }, pose);
      let view: View | undefined;
      for (const { views, poses } of plan.blocks) {
        const visit = visitBlock(memory, policy, LATENTS_PER_BLOCK * depth, poses);
        const request = { prompt, seed: effectiveSeed(seed, depth), views, memory: visit.block };
        const frames = await model.generate(request);
        view = { image: frameAt(frames, frames.count - 1), pose: plan.terminalPose };
        [memory, depth] = [visit.memory, depth + 1];
      }
      pose = plan.terminalPose;
      return view!;
    },
  };
}

/** Walks an actionworld: each block is a move of its own; there is no scene memory. */
export function actionworldWalker(
  model: ClipModel,
  size: Geometry,
  { fps, steps }: { readonly fps: number; readonly steps: number },
): Walker {
  let { prompt, seed } = { prompt: "", seed: 0n };
  let [pose, depth] = [ORIGIN, 0];
  return {
    async begin({ image, ...from }) {
      ({ prompt, seed } = from);
      [pose, depth] = [ORIGIN, 0];
      await model.begin(image, size);
    },
    async walk(keys, blocks) {
      const actions = rowsOf(MOVES[cameraOfKeys(keys).motion]);
      let view: View | undefined;
      for (let block = 0; block < blocks; block++, depth++) {
        const request = { prompt, seed: effectiveSeed(seed, depth), frames: MOVE_FRAMES + 1, actions, fps, steps };
        const clip = await model.generate({ ...request, guidanceScale: 1, shift: 3 });
        pose = clipPoses(pose, actions).at(-1)!;
        view = { image: frameAt(clip, clip.count - 1), pose };
      }
      return view!;
    },
  };
}

/** The keys of each block of such a walk, which {@linkcode revisit} explains. */
export function blocksOf(motion: MotionName, blocks: number): string[] {
  const { out, back } = MOTIONS[motion];
  return ["w", ...[...out, ...back].flatMap((keys) => Array<string>(blocks).fill(keys))];
}

/** One walk away and back. */
export interface Revisit {
  readonly motion: MotionName;
  /** Blocks for which each key was held. */
  readonly blocks: number;
  /** The view after the return against the one before leaving, in dB. */
  readonly psnr: number;
  /** The view at the far end against the one before leaving, in dB: what another place gives. */
  readonly away: number;
  /** Distance from the pose before leaving to the one after the return, in units of the world. */
  readonly distance: number;
  /** Angle between the two, in degrees. */
  readonly angle: number;
}

/**
 * Walks one block forward, looks, walks away and back, and looks again. The first block comes before the first look
 * because it has 9 frames on an arworld and every other 12: both ways have equally many.
 */
export async function revisit(walker: Walker, from: WalkFrom, motion: MotionName, blocks: number): Promise<Revisit> {
  await walker.begin(from);
  const before = await walker.walk("w", 1);
  let view = before;
  for (const keys of MOTIONS[motion].out) view = await walker.walk(keys, blocks);
  const far = view;
  for (const keys of MOTIONS[motion].back) view = await walker.walk(keys, blocks);
  return {
    motion,
    blocks,
    psnr: imagePsnr(view.image, before.image),
    away: imagePsnr(far.image, before.image),
    distance: positionDistance(view.pose, before.pose),
    angle: rotationAngle(view.pose, before.pose),
  };
}

/** Peak signal-to-noise ratio of two images, in dB; at most 60. */
export function imagePsnr(a: RgbImage, b: RgbImage): number {
  return framePsnr({ ...a, count: 1 }, { ...b, count: 1 })[0];
}

/** The walks of one motion over one distance. */
export interface RevisitScore {
  readonly motion: MotionName;
  readonly blocks: number;
  /** Mean PSNR of the returns, in dB. */
  readonly mean: number;
  /** The lowest, in dB. */
  readonly worst: number;
  /** Mean PSNR of the far ends, in dB. */
  readonly away: number;
}

/** Summarises walks by motion and distance, in the order in which they first occur. */
export function scoreRevisits(revisits: readonly Revisit[]): RevisitScore[] {
  const places = new Map(revisits.map((walk) => [`${walk.motion} ${walk.blocks}`, walk]));
  return Array.from(places.values(), ({ motion, blocks }) => {
    const walks = revisits.filter((walk) => walk.motion === motion && walk.blocks === blocks);
    const psnr = walks.map((walk) => walk.psnr);
    return { motion, blocks, mean: meanOf(psnr), worst: Math.min(...psnr), away: meanOf(walks.map((w) => w.away)) };
  });
}
