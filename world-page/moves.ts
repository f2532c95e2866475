/**
 * The camera moves that keys stand for.
 *
 * @module
 */
import type { CameraMotion, CameraRecord } from "../lib/world/wire.ts";

/** A move by the name of its button. */
export interface Move {
  /** `KeyboardEvent.key` in lower case. */
  readonly key: string;
  readonly camera: CameraRecord;
  /** What has been done, in words. */
  readonly done: string;
}

// How far a move really goes is the model's own pace. The server compares the numbers to see that one move undoes
// another, for which the opposites must add up to zero.
const METERS = 1;
const DEGREES = 15;

/** Every move by the name that `data-move` has in the document. */
export const MOVES: Readonly<Record<string, Move>> = {
  forward: move("w", "Walked forward", "forward", [0, 0, METERS]),
  backward: move("s", "Walked backward", "backward", [0, 0, -METERS]),
  strafeLeft: move("a", "Stepped left", "strafeLeft", [-METERS, 0, 0]),
  strafeRight: move("d", "Stepped right", "strafeRight", [METERS, 0, 0]),
  yawLeft: move("j", "Turned left", "yawLeft", [0, 0, 0], [0, -DEGREES, 0]),
  yawRight: move("l", "Turned right", "yawRight", [0, 0, 0], [0, DEGREES, 0]),
  lookUp: move("i", "Looked up", "custom", [0, 0, 0], [DEGREES, 0, 0]),
  lookDown: move("k", "Looked down", "custom", [0, 0, 0], [-DEGREES, 0, 0]),
  hold: move(" ", "Held still", "hold", [0, 0, 0]),
};

const opposites: Readonly<Partial<Record<CameraMotion, CameraMotion>>> = {
  forward: "backward",
  backward: "forward",
  strafeLeft: "strafeRight",
  strafeRight: "strafeLeft",
  yawLeft: "yawRight",
  yawRight: "yawLeft",
  custom: "custom",
};

/** The move that exactly undoes another; undefined for a hold, which the server cannot walk back. */
export function inverse({ motion, translation_meters, rotation_degrees }: CameraRecord): CameraRecord | undefined {
  const opposite = opposites[motion];
  if (opposite === undefined) return undefined;
  return {
    motion: opposite,
    translation_meters: negated(translation_meters),
    rotation_degrees: negated(rotation_degrees),
  };
}

function move(
  key: string,
  done: string,
  motion: CameraMotion,
  translation_meters: CameraRecord["translation_meters"],
  rotation_degrees: CameraRecord["rotation_degrees"] = [0, 0, 0],
): Move {
  return { key, done, camera: { motion, translation_meters, rotation_degrees } };
}

function negated([x, y, z]: readonly [number, number, number]): [number, number, number] {
  return [0 - x, 0 - y, 0 - z];
}
