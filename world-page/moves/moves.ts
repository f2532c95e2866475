/**
 * The camera moves of keys and buttons, and the inverse of the last one.
 *
 * @module
 */
import { cameraOfKeys, inverseCamera, type MoveSize } from "../../lib/world/protocol/camera_keys.ts";
import type { CameraRecord } from "../../lib/world/protocol/job_record.ts";
import { MOTION_TABLE } from "../../lib/world/protocol/motion_table.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import type { WalkRecord } from "../../lib/world/protocol/walk_record.ts";
import { cameraTo } from "../session/walk_feed.ts";

/** A move of any kind. */
export interface Move {
  /** The camera move to request. */
  readonly camera: (size: MoveSize) => CameraRecord;
  /** What was done, as text. */
  readonly done: string;
}

/** A move with a key. */
interface KeyMove extends Move {
  /** `KeyboardEvent.key` in lower case. */
  readonly key: string;
}

/** Every move by its `data-move` name in the document. */
export const MOVES: Readonly<Record<string, KeyMove>> = Object.fromEntries(
  Object.entries(MOTION_TABLE).flatMap(([name, { key, done }]): [string, KeyMove][] =>
    key === undefined ? [] : [[name, { key, done, camera: (size) => cameraOfKeys(key, size) }]]
  ),
);

/** A key as buttons and messages name it. */
export function keyName(key: string): string {
  return key === " " ? "Space" : key.toUpperCase();
}

/**
 * The inverse of the last move.
 *
 * @throws {Error} saying why there is none, and what can be done instead
 */
export function inverseMove(snapshot: WorldSnapshot, walk: WalkRecord): CameraRecord {
  const { currentStateId: here, stateIds: path, states, checkpointCount: checkpoints } = snapshot;
  const instead = checkpoints === undefined ? "walk on" : "return to a saved place or walk on";
  if (here === undefined || path.length < 2) throw new Error("Cannot walk back: this is where the walk began");
  if (!states.find(({ stateId }) => stateId === path[path.length - 2])?.retained) {
    throw new Error(`Cannot walk back: the last move is no longer kept, ${instead}`);
  }
  const camera = cameraTo(walk, here);
  if (camera === undefined) {
    throw new Error(`Cannot walk back: what led here was not a single move of the camera, ${instead}`);
  }
  const move = inverseCamera(camera);
  if (move === undefined) {
    throw new Error(`Cannot walk back: the last move was a hold, which has no inverse, ${instead}`);
  }
  return move;
}
