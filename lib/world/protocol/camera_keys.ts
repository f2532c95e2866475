/**
 * The camera moves of keys that are held together, and the inverses of moves.
 *
 * @module
 */
import type { CameraRecord } from "./job_record.ts";
import { KEY_MOTIONS, motionKeys, oppositeMotion, type Triple } from "./motion_table.ts";

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

/** A camera move in units of a distance and an angle. */
interface CameraUnits {
  readonly translation: Triple;
  readonly rotation: Triple;
}

/** What keys do together, each counted once: opposite ones cancel, other characters than keys do nothing. */
export function unitsOfKeys(keys: string): CameraUnits {
  return sumOf([...new Set(keys)].flatMap((key) => KEY_MOTIONS.get(key) ?? []));
}

function sumOf(moves: readonly CameraUnits[]): CameraUnits {
  const sum = (part: keyof CameraUnits, axis: number): number =>
    moves.reduce((total, one) => total + one[part][axis], 0);
  const triple = (part: keyof CameraUnits): Triple => [sum(part, 0), sum(part, 1), sum(part, 2)];
  return { translation: triple("translation"), rotation: triple("rotation") };
}

/**
 * The camera move of one key, or of several at once.
 *
 * @param keys Any combination of the keys of moves, such as `w` (forward) or `wl` (and turn right); a dot holds still.
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
    const motion = KEY_MOTIONS.get(key);
    if (motion === undefined) {
      throw new RangeError(
        `Cannot move by the key ${JSON.stringify(key)}: expected one of ${motionKeys(true).join(" ")}`,
      );
    }
    return motion;
  });
  const { translation: [x, y, z], rotation: [rx, ry, rz] } = sumOf(motions);
  return {
    motion: motions.length === 0 ? "hold" : motions.length === 1 ? motions[0].motion : "custom",
    translationMeters: [x * meters + 0, y * meters + 0, z * meters + 0],
    rotationDegrees: [rx * degrees + 0, ry * degrees + 0, rz * degrees + 0],
  };
}

/** The exact inverse of a camera move, which the session replays; undefined for a hold, which has none. */
export function inverseCamera(
  { motion, translationMeters, rotationDegrees }: CameraRecord,
): CameraRecord | undefined {
  const opposite = oppositeMotion(motion);
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
