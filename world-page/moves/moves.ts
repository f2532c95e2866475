/**
 * The camera moves of keys and buttons.
 *
 * @module
 */
import { cameraOfKeys, type MoveSize } from "../../lib/world/protocol/camera_keys.ts";
import type { CameraRecord } from "../../lib/world/protocol/job_record.ts";

/** A move of any kind. */
export interface Move {
  /** The camera move to request. */
  readonly camera: (size: MoveSize) => CameraRecord;
  /** What was done, as text. */
  readonly done: string;
}

/** A move with a key. */
export interface KeyMove extends Move {
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
