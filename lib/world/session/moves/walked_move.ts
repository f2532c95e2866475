/**
 * Moves as the walk remembers them.
 *
 * @module
 */
import { cameraPosition, type Matrix4 } from "../../protocol/pose.ts";
import { type MoveKind, seedRecord } from "../../protocol/requests/move_fields.ts";
import type { RolloutRequest } from "../../protocol/requests/rollout_request.ts";
import type { TransitionRequest } from "../../protocol/requests/transition_request.ts";
import type { WalkMove } from "../../protocol/walk_record.ts";
import type { RolloutRequestBody, TransitionRequestBody } from "../../protocol/requests/request_bodies.ts";
import { toWire } from "../../../json/wire_form.ts";
import type { Geometry } from "../../../models/world/world_model.ts";

/** The move that led to a state: plain data. */
export interface WalkedMove extends WalkMove {
  readonly fps: number;
  /** The files of its chunks, in order. */
  readonly chunks: readonly string[];
}

/** The size and rate of a move, settled. */
export interface MoveFormat {
  readonly geometry: Geometry;
  readonly fps: number;
  readonly seed: bigint;
}

/** Longest request that is kept, as characters of JSON: a walk of a thousand moves stays small. */
const MAX_REQUEST = 4096;

/** Positions of a move that are kept. */
const MAX_POSITIONS = 32;

/** A move that was made. */
export function walkedMove(
  kind: MoveKind,
  request: TransitionRequestBody | RolloutRequestBody,
  poses: readonly Matrix4[],
  { fps }: MoveFormat,
  chunks: readonly string[],
): WalkedMove {
  const isShort = JSON.stringify(toWire(request)).length <= MAX_REQUEST;
  return { kind, ...(isShort && { request }), positions: sampled(poses), fps, chunks };
}

/** A block of a walk: no request makes it again, since it continues where the block before has ended. */
export function blockMove(poses: readonly Matrix4[], fps: number, chunk: string): WalkedMove {
  return { kind: "rollout", positions: sampled(poses), fps, chunks: [chunk] };
}

/** The body that makes a transition again; an arworld has no use for the settings of the sampler. */
export function transitionBody(
  request: TransitionRequest,
  { geometry, fps, seed }: MoveFormat,
  sampler: boolean,
): TransitionRequestBody {
  const { prompt, camera, frames, steps, guidanceScale, shift, modelSpaceActions } = request;
  return {
    prompt,
    camera,
    numFrames: frames,
    ...geometry,
    fps,
    seed: seedRecord(seed),
    ...(sampler && { ...(steps !== undefined && { steps }), guidanceScale, shift }),
    ...(modelSpaceActions && { modelSpaceActions: modelSpaceActions.slice(0, frames - 1) }),
  };
}

/** The body that makes a rollout again. */
export function rolloutBody(request: RolloutRequest, { geometry, fps, seed }: MoveFormat): RolloutRequestBody {
  return {
    prompt: request.prompt,
    actionSeq: request.actions,
    actionSpeedList: request.weights,
    numOutputFrames: request.latentFrames,
    speed: request.speed,
    ...geometry,
    fps,
    seed: seedRecord(seed),
  };
}

function sampled(poses: readonly Matrix4[]): WalkMove["positions"] {
  const count = Math.min(poses.length, MAX_POSITIONS);
  return Array.from({ length: count }, (_, i) => {
    const [x, y, z] = cameraPosition(poses[Math.round((i + 1) * poses.length / count) - 1]);
    return [rounded(x), rounded(y), rounded(z)];
  });
}

/** Six significant digits are more than a map can show. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
