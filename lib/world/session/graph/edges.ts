/**
 * Edges of the navigation graph that can be replayed in reverse.
 *
 * @module
 */
import type { Scene } from "../scene/scene.ts";
import { OPPOSITE_MOTIONS } from "../../protocol/camera_keys.ts";
import type { CameraRecord, TransitionReceipt } from "../../protocol/job_record.ts";
import type { Geometry } from "../../../models/world/world_model.ts";

/** A generated transition between two states. */
export interface Edge {
  /** Id of the state that it leads to. */
  readonly id: string;
  readonly camera: CameraRecord;
  readonly geometry: Geometry;
  readonly fps: number;
  /** Frames as requested. */
  readonly numFrames: number;
  /** Seed as requested. */
  readonly seed: bigint;
  /** The fields that the receipt of a replay adds. */
  readonly replayReceipt: Partial<TransitionReceipt>;
  /** The state that it came from. */
  readonly source: Scene;
}

/** The inverse of an edge as a request asks for it; undefined where the request leaves a value open. */
export interface InverseMove {
  readonly camera: CameraRecord;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly fps: number | undefined;
  readonly numFrames: number | undefined;
}

/** Maximum sum of two components that cancel each other, in meters or degrees. */
const TOLERANCE = 1e-4;

/**
 * Whether a move is the exact inverse of an edge: the opposite motion, every component of translation and rotation
 * cancelled within 1e-4, and size, rate and length equal or omitted.
 *
 * @example
 * ```ts
 * import { isOpposite } from "./edges.ts";
 * const out = { motion: "yawLeft", translation_meters: [0, 0, 0], rotation_degrees: [0, -15, 0] } as const;
 * const back = { motion: "yawRight", translation_meters: [0, 0, 0], rotation_degrees: [0, 15, 0] } as const;
 * console.assert(isOpposite(out, back) && !isOpposite(out, out));
 * ```
 */
export function isInverseMove(edge: Edge, move: InverseMove): boolean {
  const same = <T>(asked: T | undefined, is: T) => asked === undefined || asked === is;
  return isOpposite(edge.camera, move.camera) && same(move.width, edge.geometry.width) &&
    same(move.height, edge.geometry.height) && same(move.fps, edge.fps) && same(move.numFrames, edge.numFrames);
}

/** Whether two camera moves undo each other. A hold has no opposite. */
export function isOpposite(a: CameraRecord, b: CameraRecord): boolean {
  const cancel = (x: readonly number[], y: readonly number[]) => x.every((n, i) => Math.abs(n + y[i]) <= TOLERANCE);
  return OPPOSITE_MOTIONS[a.motion] === b.motion && cancel(a.translation_meters, b.translation_meters) &&
    cancel(a.rotation_degrees, b.rotation_degrees);
}
