/**
 * Where a session stands.
 *
 * @module
 */
import type { RgbImage } from "../media/rgb_image.ts";
import type { StateRecord } from "./wire.ts";
import type { Geometry } from "../models/world_model.ts";

/** A 4x4 matrix, row-major. */
export type Matrix4 = readonly number[];

/** The pose of a world's origin. */
export const ORIGIN: Matrix4 = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** States that a session still knows; older ones are forgotten, so that a long walk does not grow its snapshot. */
const MAX_STATES = 1000;

/** The picture that a session shows. */
export interface ShownFrame {
  readonly image: RgbImage;
  /** PNG in the state directory. */
  readonly path: string;
  /** The job whose terminal frame it is; undefined for a source image. */
  readonly jobId?: string;
}

/**
 * Everything of a session that a job changes, apart from the model's own state. Each success replaces it as a whole, so
 * that a failure has nothing to undo.
 */
export interface Place {
  /** The active path, root first. */
  readonly path: readonly Omit<StateRecord, "retained">[];
  readonly frame: ShownFrame | undefined;
  /** Size of the chain's frames; undefined until a chain has been generated. */
  readonly geometry: Geometry | undefined;
  /** Latent frames generated in the chain: three for each block. */
  readonly latents: number;
  /** World-to-camera pose of the shown frame. */
  readonly pose: Matrix4;
  /** Rollouts since the last reset. */
  readonly transitions: number;
}

/** A session without a picture. */
export const NOWHERE: Place = {
  path: [],
  frame: undefined,
  geometry: undefined,
  latents: 0,
  pose: ORIGIN,
  transitions: 0,
};

/** A new world whose origin is a picture. */
export function placeAtSource(stateId: string, frame: ShownFrame, transitions = 0): Place {
  return { ...NOWHERE, frame, transitions, path: [{ state_id: stateId, transition_index: 0, depth: 0 }] };
}

/** What a completed rollout changes. */
export interface RolloutEnd {
  readonly stateId: string;
  readonly frame: ShownFrame;
  readonly geometry: Geometry;
  /** Latents that the rollout generated. */
  readonly latents: number;
  readonly pose: Matrix4;
}

/** The place at the end of a rollout that started at `from`. */
export function placeAfterRollout(from: Place, end: RolloutEnd): Place {
  const parent = from.path.at(-1);
  const state = {
    state_id: end.stateId,
    ...(parent && { parent_state_id: parent.state_id }),
    transition_index: from.transitions + 1,
    depth: parent ? parent.depth + 1 : 0,
  };
  return {
    path: [...from.path, state].slice(-MAX_STATES),
    frame: end.frame,
    geometry: end.geometry,
    latents: from.latents + end.latents,
    pose: end.pose,
    transitions: from.transitions + 1,
  };
}
