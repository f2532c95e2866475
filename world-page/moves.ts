/**
 * The camera moves that keys stand for.
 *
 * @module
 */
import { cameraOfKeys, type MoveSize } from "../lib/world/protocol/camera_keys.ts";
import type { CameraRecord } from "../lib/world/protocol/wire.ts";

/** A move of any kind. */
export interface Move {
  /** What to ask the server for. */
  readonly camera: (size: MoveSize) => CameraRecord;
  /** What has been done, in words. */
  readonly done: string;
}

/** A move by the name of its button. */
export interface KeyMove extends Move {
  /** `KeyboardEvent.key` in lower case. */
  readonly key: string;
}

/** Every move by the name that `data-move` has in the document. */
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
