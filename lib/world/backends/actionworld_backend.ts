/**
 * Sessions of a model conditioned on camera motion: clips, each starting from the last frame of the one before.
 *
 * @module
 */
import type { Backend } from "../session/backend.ts";
import { CLIP_DEFAULTS, CLIP_STEPS, readClipRequest } from "../protocol/requests/clip_request.ts";
import { effectiveSeed, seedRecord } from "../protocol/requests/move_fields.ts";
import { ROLLOUT_DEFAULTS } from "../protocol/requests/rollout_request.ts";
import { clipPoses } from "./clip_poses.ts";
import { MOTION_TABLE } from "../protocol/motion_table.ts";
import { NO_MEMORIES } from "../session/scene/scene_memory.ts";
import type { TransitionRequest } from "../protocol/requests/transition_request.ts";
import { CAMERA_POSE_NUMBERS } from "../../models/actionworld/config.ts";
import { compileActions, fitActions } from "../../models/actionworld/action_rows.ts";
import type { ClipModel, ClipRequest } from "../../models/world/clip_model.ts";
import { invalidField, unsupportedForBackend } from "../../errors/svc_error.ts";
import { joinFrames, type RgbFrames } from "../../media/images/rgb_image.ts";
import type { ChunkPublisher } from "../session/moves/chunk_publisher.ts";
import type { Job } from "../session/moves/job.ts";

/** Options of {@linkcode actionworldBackend}. */
interface ActionworldBackendOptions {
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
        { ...camera, direction: MOTION_TABLE[camera.motion].translation },
        frames - 1,
      );
      checkReach(request, actions);
      const rows = rowsOf(actions);
      const described = (space: "normalized_model_space" | "normalized_model_space_reversed", rows: number[][]) =>
        ({
          seed: seedRecord(seed), // a clip has one seed, so the receipt names the one that made it
          actionSpace: space,
          actionDomain: "camera_pose",
          modelSpaceActions: rows,
          rawActions: rows,
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
          effective: { steps, guidanceScale, shift, numFrames: frames, seed: seedRecord(seed) },
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

/** Frames of a latent after the first. */
const LATENT_FRAMES = 4;

/** Chunks of a clip: the first frame belongs to the chunk of the four frames after it. */
function clipChunks(frames: number): number {
  return (frames - 1) / LATENT_FRAMES;
}

/**
 * Runs one clip; its chunks are listed while it is still being decoded.
 * Rejects with the first failure or the reason of the job's signal; a chunk may still be being written then.
 */
async function runClip(
  model: ClipModel,
  publisher: ChunkPublisher,
  job: Job,
  clip: ClipRequest,
): Promise<void> {
  const total = clip.steps + clipChunks(clip.frames);
  let first: RgbFrames | undefined;
  let decoded = 0;
  await model.generate(clip, {
    signal: publisher.signal,
    onProgress: ({ stage, step, loaded }) =>
      loaded ? job.loading(loaded) : job.progress(stage, step, total, step / total),
    onFrames: (frames) => {
      if (!first && frames.count === 1) {
        first = frames;
        return;
      }
      // A failure aborts the publisher's signal, and with it the clip.
      publisher.add(first && decoded === 0 ? joinFrames([first, frames]) : frames).catch(() => {});
      decoded++;
      job.progress("decoding", clip.steps + decoded, total, (clip.steps + decoded) / total);
    },
  });
  await publisher.finish();
  job.progress("saving", total, total, 1);
}
