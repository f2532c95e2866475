/**
 * The camera moves that keys stand for.
 *
 * @module
 */
import type { CameraMotion, CameraRecord } from "../lib/world/protocol/wire.ts";

/** How far the moves of keys go. */
export interface MoveSize {
  readonly meters: number;
  readonly degrees: number;
}

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

/**
 * How far moves go where nobody says otherwise, which is what the models of this kind were shown most. An arworld goes
 * at its own pace whatever is asked for.
 */
export const MOVE_SIZE: MoveSize = { meters: 1, degrees: 15 };

/** Every move by the name that `data-move` has in the document. */
export const MOVES: Readonly<Record<string, KeyMove>> = {
  forward: move("w", "Walked forward", "forward", [0, 0, 1]),
  backward: move("s", "Walked backward", "backward", [0, 0, -1]),
  strafeLeft: move("a", "Stepped left", "strafeLeft", [-1, 0, 0]),
  strafeRight: move("d", "Stepped right", "strafeRight", [1, 0, 0]),
  yawLeft: move("j", "Turned left", "yawLeft", [0, 0, 0], [0, -1, 0]),
  yawRight: move("l", "Turned right", "yawRight", [0, 0, 0], [0, 1, 0]),
  lookUp: move("i", "Looked up", "custom", [0, 0, 0], [1, 0, 0]),
  lookDown: move("k", "Looked down", "custom", [0, 0, 0], [-1, 0, 0]),
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

/**
 * The move that exactly undoes another, so that the server walks it back: it compares the numbers, which must add up to
 * zero. Undefined for a hold, which it cannot walk back.
 */
export function inverse({ motion, translation_meters, rotation_degrees }: CameraRecord): CameraRecord | undefined {
  const opposite = opposites[motion];
  if (opposite === undefined) return undefined;
  return {
    motion: opposite,
    translation_meters: times(translation_meters, -1),
    rotation_degrees: times(rotation_degrees, -1),
  };
}

function move(
  key: string,
  done: string,
  motion: CameraMotion,
  direction: CameraRecord["translation_meters"],
  turn: CameraRecord["rotation_degrees"] = [0, 0, 0],
): KeyMove {
  const camera = ({ meters, degrees }: MoveSize): CameraRecord => ({
    motion,
    translation_meters: times(direction, meters),
    rotation_degrees: times(turn, degrees),
  });
  return { key, done, camera };
}

/** The vector times a factor, without negative zeros. */
function times([x, y, z]: readonly [number, number, number], factor: number): [number, number, number] {
  return [x * factor + 0, y * factor + 0, z * factor + 0];
}
