/**
 * The camera moves of keys and buttons, and the inverse of the last one.
 *
 * @module
 */
import { cameraOfKeys, inverseCamera, type MoveSize } from "../../lib/world/protocol/camera_keys.ts";
import type { CameraRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import type { Trail } from "../session/trail.ts";

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
export const MOVES: Readonly<Record<string, KeyMove>> = {
  forward: move("w", "Walked forward"),
  backward: move("s", "Walked backward"),
  strafeLeft: move("a", "Stepped left"),
  strafeRight: move("d", "Stepped right"),
  yawLeft: move("j", "Turned left"),
  yawRight: move("l", "Turned right"),
  lookUp: move("i", "Looked up"),
  lookDown: move("k", "Looked down"),
  hold: move(" ", "Held still"),
};

function move(key: string, done: string): KeyMove {
  return { key, done, camera: (size) => cameraOfKeys(key, size) };
}

/**
 * The inverse of the last move.
 *
 * @throws {Error} saying why there is none, and what can be done instead
 */
export function inverseMove(snapshot: WorldSnapshot, trail: Trail): CameraRecord {
  const { currentStateId: here, stateIds: path, states, checkpointCount: checkpoints } = snapshot;
  const instead = checkpoints === undefined ? "walk on" : "return to a saved place or walk on";
  if (here === undefined || path.length < 2) throw new Error("Cannot walk back: this is where the walk began");
  if (!states.find(({ stateId }) => stateId === path[path.length - 2])?.retained) {
    throw new Error(`Cannot walk back: the last move is no longer kept, ${instead}`);
  }
  const camera = trail.cameraTo(here);
  if (camera === undefined) {
    throw new Error(
      "Cannot walk back: this page does not have the move that led here, " +
        `press the key of the opposite move, or ${instead}`,
    );
  }
  const move = inverseCamera(camera);
  if (move === undefined) {
    throw new Error(`Cannot walk back: the last move was a hold, which has no inverse, ${instead}`);
  }
  return move;
}
