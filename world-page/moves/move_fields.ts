/**
 * The fields for the size of moves.
 *
 * @module
 */
import { MOVE_SIZE, type MoveSize } from "../../lib/world/protocol/camera_keys.ts";
import type { Move } from "./moves.ts";
import { readNumber } from "../ui/number_field.ts";

/**
 * The size of key moves.
 *
 * @throws {Error} when a field is invalid
 */
export function readMoveSize(): MoveSize {
  const size = {
    meters: readNumber("distance") ?? MOVE_SIZE.meters,
    degrees: readNumber("angle") ?? MOVE_SIZE.degrees,
  };
  for (const [name, value] of [["distance", size.meters], ["angle", size.degrees]] as const) {
    if (value <= 0) throw new Error(`Cannot walk: the ${name} of a move is ${value}, expected more than 0`);
  }
  return size;
}

/**
 * The custom move.
 *
 * @throws {Error} when all its numbers are 0 or one is invalid
 */
export function readCustomMove(): Move {
  const read = (id: string): number => readNumber(id) ?? 0;
  const translation = [read("custom-x"), read("custom-y"), read("custom-z")] as const;
  const rotation = [read("custom-rx"), read("custom-ry"), read("custom-rz")] as const;
  if ([...translation, ...rotation].every((number) => number === 0)) {
    throw new Error("Cannot make this move: all its numbers are 0, set one or press Space to hold still");
  }
  const camera = { motion: "custom", translation_meters: translation, rotation_degrees: rotation } as const;
  return { camera: () => camera, done: "Made the move" };
}
