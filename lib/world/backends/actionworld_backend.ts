/**
 * Sessions of a model conditioned on camera motion: clips, each starting from the last frame of the one before.
 *
 * @module
 */
import type { Backend } from "../session/backend.ts";
import { CLIP_DEFAULTS, CLIP_STEPS, readClipRequest } from "../protocol/requests/clip_request.ts";
import { effectiveSeed, seedRecord } from "../session/moves/effective_seed.ts";
import { ROLLOUT_DEFAULTS } from "../protocol/requests/rollout_request.ts";
import { clipPoses } from "./clip_poses.ts";
import { clipChunks, runClip } from "./run_clip.ts";
import { NO_MEMORIES } from "../session/scene/scene_memory.ts";
import type { TransitionRequest } from "../protocol/requests/transition_fields.ts";
import { CAMERA_POSE_NUMBERS } from "../../models/actionworld/config.ts";
import { compileActions, fitActions } from "../../models/actionworld/action_rows.ts";
import type { ClipModel } from "../../models/world/clip_model.ts";
import { invalidField, unsupportedForBackend } from "../../errors/svc_error.ts";

/** Options of {@linkcode actionworldBackend}. */
export interface ActionworldBackendOptions {
  readonly model: ClipModel;
}

/** Backs a session with an actionworld. */
export function actionworldBackend({ model }: ActionworldBackendOptions): Backend {
  const noRollouts = (): never => {
    throw unsupportedForBackend("start a rollout", "an actionworld supports transitions only, POST one instead");
  };
  return {
    name: "actionworld",
    model,
    conditioningMode: "camera_pose_media_reencode",
    hasCheckpoints: false,
    transition: CLIP_DEFAULTS,
    rollout: ROLLOUT_DEFAULTS,
    readTransition: readClipRequest,
    planTransition(request, { from: { depth, pose: start }, fps, defaultSteps = CLIP_STEPS }) {
      const { prompt, frames, guidanceScale, shift, camera, steps = defaultSteps } = request;
      const seed = effectiveSeed(request.seed, depth);
      const actions = request.modelSpaceActions ? fitActions(request.modelSpaceActions, frames - 1) : compileActions(
        {
          motion: camera.motion,
          translationMeters: camera.translation_meters,
          rotationDegrees: camera.rotation_degrees,
        },
        frames - 1,
      );
      checkReach(request, actions);
      const rows = rowsOf(actions);
      const described = (space: "normalized_model_space" | "normalized_model_space_reversed", rows: number[][]) =>
        ({
          seed: seedRecord(seed), // a clip has one seed, so the receipt names the one that made it
          action_space: space,
          action_domain: "camera_pose",
          model_space_actions: rows,
          raw_actions: rows,
        }) as const;
      const clip = { prompt, seed, frames, actions, fps, steps, guidanceScale, shift };
      const poses = clipPoses(start, actions);
      return {
        chunks: clipChunks(frames),
        poses,
        async generate(job, publisher) {
          await runClip(model, publisher, job, clip);
          return { depth: depth + 1, pose: poses[poses.length - 1], memory: NO_MEMORIES };
        },
        receipt: () => ({
          effective: { steps, guidance_scale: guidanceScale, shift, num_frames: frames, seed: seedRecord(seed) },
          ...described("normalized_model_space", rows),
        }),
        replayReceipt: described("normalized_model_space_reversed", [...rows].reverse()),
      };
    },
    readRollout: noRollouts,
    planRollout: noRollouts,
    snapshotOf: () => ({}),
    receiptOf: () => ({}),
  };
}

/** A request may hold numbers beyond the range of the model, which has 32 bits for each. */
function checkReach({ modelSpaceActions }: TransitionRequest, actions: Float32Array): void {
  if (actions.every(Number.isFinite)) return;
  const field = modelSpaceActions ? "model_space_actions" : "camera";
  const message = `Cannot start a transition: "${field}" is out of range, expected numbers that fit in 32 bits`;
  throw invalidField(field, message);
}

function rowsOf(actions: Float32Array): number[][] {
  const count = actions.length / CAMERA_POSE_NUMBERS;
  return Array.from({ length: count }, (_, i) => [
    ...actions.subarray(i * CAMERA_POSE_NUMBERS, (i + 1) * CAMERA_POSE_NUMBERS),
  ]);
}
