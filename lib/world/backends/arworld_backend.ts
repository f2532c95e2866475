/**
 * Sessions of a causal video model: latents continue from cached ones, with poses and scene memory.
 *
 * @module
 */
import type { Backend, MadeScene, PlannedMove } from "../session/backend.ts";
import { effectiveSeed, seedRecord } from "../session/moves/effective_seed.ts";
import { latentCounts } from "../session/scene/latent_counts.ts";
import type { MoveSite } from "../session/moves/move_start.ts";
import { poseRecord } from "../protocol/pose.ts";
import { planRollout, type RolloutPlan } from "../protocol/rollout_plan.ts";
import { readRolloutRequest, ROLLOUT_DEFAULTS, type RolloutRequest } from "../protocol/requests/rollout_request.ts";
import { runBlocks } from "./run_blocks.ts";
import { DEFAULT_SCENE_MEMORY } from "../protocol/scene_memory_policy.ts";
import { planTransition } from "../protocol/transition_plan.ts";
import { readTransitionRequest, TRANSITION_DEFAULTS } from "../protocol/requests/transition_request.ts";
import type { SceneMemoryPolicyRecord } from "../protocol/wire.ts";
import { SAMPLER_SHIFT, SAMPLER_STEPS } from "../../models/arworld/sampling/sampler_math.ts";
import { INTRINSICS } from "../../models/arworld/camera.ts";
import type { WorldModel } from "../../models/world/world_model.ts";
import { invalidField } from "../../errors/svc_error.ts";

/** Options of {@linkcode arworldBackend}. */
export interface ArworldBackendOptions {
  readonly model: WorldModel;
  /** The scene memory policy; the published one by default. */
  readonly sceneMemory?: SceneMemoryPolicyRecord | undefined;
}

/** Backs a session with an arworld. */
export function arworldBackend({ model, sceneMemory = DEFAULT_SCENE_MEMORY }: ArworldBackendOptions): Backend {
  const generating = (
    { blocks, terminalPose: pose }: RolloutPlan,
    { prompt, seed }: { readonly prompt: string; readonly seed: bigint },
    { from }: MoveSite,
  ): PlannedMove => ({
    chunks: blocks.length,
    poses: blocks.flatMap((block) => block.poses),
    async generate(job, publisher): Promise<MadeScene> {
      const run = { job, blocks, prompt, seed, from, memoryPolicy: sceneMemory };
      const memory = await runBlocks(model, publisher, run);
      return { depth: from.depth + blocks.length, pose, memory };
    },
  });
  return {
    name: "arworld",
    model,
    conditioningMode: "causal_camera_latents",
    hasCheckpoints: true,
    viewAngle: 2 * Math.atan(0.5 / INTRINSICS.fx) * 180 / Math.PI,
    transition: TRANSITION_DEFAULTS,
    rollout: ROLLOUT_DEFAULTS,
    readTransition: readTransitionRequest,
    planTransition(request, site) {
      const { depth, pose } = site.from;
      const { action, ...plan } = planTransition(request.camera, request.frames, depth === 0, pose);
      return {
        ...generating(plan, request, site),
        receipt: (frames) => ({
          effective: {
            steps: SAMPLER_STEPS.length,
            guidance_scale: 1, // the weights are distilled: no unconditional pass
            shift: SAMPLER_SHIFT,
            num_frames: frames - (depth > 0 ? 1 : 0),
            seed: seedRecord(effectiveSeed(request.seed, depth)),
            action,
          },
        }),
        replayReceipt: {},
      };
    },
    readRollout: readRolloutRequest,
    planRollout(request, site) {
      const plan = planRollout(request, site.from.pose);
      checkReach(request, plan);
      return {
        ...generating(plan, request, site),
        receipt: {
          action_seq: request.actions,
          action_speed_list: request.weights,
          latent_frame_count: request.latentFrames,
          speed: request.speed,
          effective: { seed: seedRecord(effectiveSeed(request.seed, site.from.depth)) },
        },
      };
    },
    snapshotOf: (state) => ({
      ...latentCounts(state),
      scene_memory_mode: sceneMemory.mode,
      scene_memory_policy: sceneMemory,
      scene_memory_retrieval_count: state.memory.retrievals,
      scene_memory_recycled_frame_count: state.memory.recycled,
    }),
    receiptOf: (from, to, replayed) => ({
      terminal_world_pose: poseRecord(to.pose),
      scene_memory_mode: sceneMemory.mode,
      scene_memory_retrieval_count: replayed ? 0 : to.memory.retrievals - from.memory.retrievals,
      scene_memory_recycled_frame_count: replayed ? 0 : to.memory.recycled - from.memory.recycled,
    }),
  };
}

function checkReach({ speed }: RolloutRequest, { terminalPose }: RolloutPlan): void {
  if (terminalPose.every(Number.isFinite)) return;
  throw invalidField("speed", `Cannot start a rollout: "speed" is ${speed}, too far to go`);
}
