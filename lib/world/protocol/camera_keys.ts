/**
 * The camera moves that keys stand for, which keys exclude each other, and the inverses of moves.
 *
 * @module
 */
import type { CameraMotion, CameraRecord } from "./job_record.ts";

/** How far the moves of keys go. */
export interface MoveSize {
  /** Distance of a translation. */
  readonly meters: number;
  /** Angle of a rotation. */
  readonly degrees: number;
}

/**
 * The default distance and angle of a move, which the embedded actionworld saw most in training. An arworld moves at
 * its own speed whatever the numbers say.
 */
export const MOVE_SIZE: MoveSize = { meters: 1, degrees: 15 };

/** The motion of a key, its translation in units of the distance and its rotation in units of the angle. */
interface KeyMotion {
  readonly motion: CameraMotion;
  readonly translation: readonly [number, number, number];
  readonly rotation: readonly [number, number, number];
}

const KEYS: Readonly<Record<string, KeyMotion>> = {
  w: { motion: "forward", translation: [0, 0, 1], rotation: [0, 0, 0] },
  s: { motion: "backward", translation: [0, 0, -1], rotation: [0, 0, 0] },
  a: { motion: "strafeLeft", translation: [-1, 0, 0], rotation: [0, 0, 0] },
  d: { motion: "strafeRight", translation: [1, 0, 0], rotation: [0, 0, 0] },
  j: { motion: "yawLeft", translation: [0, 0, 0], rotation: [0, -1, 0] },
  l: { motion: "yawRight", translation: [0, 0, 0], rotation: [0, 1, 0] },
  i: { motion: "custom", translation: [0, 0, 0], rotation: [1, 0, 0] },
  k: { motion: "custom", translation: [0, 0, 0], rotation: [-1, 0, 0] },
};

/** Keys of actions that cancel each other, so that no action may have both of a pair. */
export const OPPOSITE_KEYS: readonly (readonly [string, string])[] = [["w", "s"], ["a", "d"], ["i", "k"], ["j", "l"]];

/**
 * The camera move of one key, or of several at once.
 *
 * @param keys Any combination of `w a s d` (move), `j l` (turn) and `i k` (look up and down); a dot holds still.
 * @throws {RangeError} for an unknown key.
 *
 * @example
 * ```ts
 * import { cameraOfKeys } from "./camera_keys.ts";
 * console.assert(cameraOfKeys("w").motion === "forward");
 * console.assert(cameraOfKeys("wl").motion === "custom");
 * ```
 */
export function cameraOfKeys(
  keys: string,
  { meters, degrees }: { readonly meters: number; readonly degrees: number } = MOVE_SIZE,
): CameraRecord {
  const motions = [...keys].filter((key) => key !== "." && key !== " ").map((key) => {
    const motion = KEYS[key];
    if (motion === undefined) {
      throw new RangeError(`Cannot move by the key ${JSON.stringify(key)}: expected one of w a s d j l i k`);
    }
    return motion;
  });
  const sum = (pick: (motion: KeyMotion) => readonly number[], axis: number, size: number): number =>
    motions.reduce((total, motion) => total + pick(motion)[axis] * size, 0) + 0;
  const translation = (axis: number) => sum((motion) => motion.translation, axis, meters);
  const rotation = (axis: number) => sum((motion) => motion.rotation, axis, degrees);
  return {
    motion: motions.length === 0 ? "hold" : motions.length === 1 ? motions[0].motion : "custom",
    translationMeters: [translation(0), translation(1), translation(2)],
    rotationDegrees: [rotation(0), rotation(1), rotation(2)],
  };
}

/** The motion that undoes each motion; a hold has none. */
export const OPPOSITE_MOTIONS: Readonly<Partial<Record<CameraMotion, CameraMotion>>> = {
  forward: "backward",
  backward: "forward",
  strafeLeft: "strafeRight",
  strafeRight: "strafeLeft",
  yawLeft: "yawRight",
  yawRight: "yawLeft",
  custom: "custom",
};

/** The exact inverse of a camera move, which the session replays; undefined for a hold, which has none. */
export function inverseCamera(
  { motion, translationMeters, rotationDegrees }: CameraRecord,
): CameraRecord | undefined {
  const opposite = OPPOSITE_MOTIONS[motion];
  if (opposite === undefined) return undefined;
  return {
    motion: opposite,
    translationMeters: negated(translationMeters),
    rotationDegrees: negated(rotationDegrees),
  };
}

function negated([x, y, z]: readonly [number, number, number]): [number, number, number] {
  // Not -0, which JSON would not keep.
  return [0 - x, 0 - y, 0 - z];
}
