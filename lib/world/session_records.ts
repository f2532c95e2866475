/**
 * What a session is, in the words of the wire.
 *
 * @module
 */
import type { Job } from "./job.ts";
import type { Matrix4, Place } from "./place.ts";
import type { RolloutStart } from "./rollout_start.ts";
import type { ModelRecord, RolloutReceipt, SessionPhase, WorldPose, WorldSnapshot } from "./wire.ts";

/** Clean latents that the decoder needs to go on. */
const RETAINED_LATENTS = 3;

/** What a snapshot is made from. */
export interface SessionParts {
  readonly sessionId: string;
  readonly phase: SessionPhase;
  readonly place: Place;
  readonly model: ModelRecord;
  readonly job: Job | undefined;
}

/** The snapshot of a session. */
export function sessionSnapshot({ sessionId, phase, place, model, job }: SessionParts): WorldSnapshot {
  const current = place.path.at(-1);
  const { frame } = place;
  return {
    object: "world.session",
    backend: "arworld",
    phase,
    session_id: sessionId,
    transition_count: place.transitions,
    ...(current && { current_state_id: current.state_id }),
    state_ids: place.path.map((state) => state.state_id),
    states: place.path.map((state) => ({ ...state, retained: state === current })),
    keeps_models_warm: phase === "ready" || phase === "generating",
    keeps_terminal_latent: place.latents > 0,
    conditioning_mode: "causal_camera_latents",
    ...(frame && { current_frame_path: frame.path }),
    ...(frame?.jobId && { current_frame_media_path: `/v1/world/jobs/${frame.jobId}/media/terminal-frame` }),
    ...(job && { active_job: job.record() }),
    model,
    generated_latent_frame_count: place.latents,
    retained_latent_frame_count: Math.min(RETAINED_LATENTS, place.latents),
    current_world_pose: poseRecord(place.pose),
  };
}

/** What a rollout has led to. */
export interface RolloutOutcome {
  readonly requestId: string;
  readonly place: Place;
  readonly frames: number;
  readonly framePath: string;
}

/** The receipt of a completed rollout. */
export function rolloutReceipt(job: Job, start: RolloutStart, outcome: RolloutOutcome): RolloutReceipt {
  const { request, geometry } = start;
  const { path, pose } = outcome.place;
  const state = path[path.length - 1];
  return {
    request_id: outcome.requestId,
    ...(state.parent_state_id !== undefined && { previous_state_id: state.parent_state_id }),
    state_id: state.state_id,
    transition_index: state.transition_index,
    output_path: start.outputPath,
    output_media_path: job.mediaPath("output"),
    terminal_frame_path: outcome.framePath,
    terminal_frame_media_path: job.mediaPath("terminal-frame"),
    action_seq: request.actions,
    action_speed_list: request.weights,
    latent_frame_count: request.latentFrames,
    pixel_frame_count: outcome.frames,
    width: geometry.width,
    height: geometry.height,
    speed: request.speed,
    fps: start.fps,
    seed: request.seed <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(request.seed) : String(request.seed),
    conditioning_mode: "causal_camera_latents",
    chunks: [...job.chunks],
    terminal_world_pose: poseRecord(pose),
  };
}

function poseRecord(pose: Matrix4): WorldPose {
  return { world_to_camera: [...pose] };
}
