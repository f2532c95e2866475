/**
 * The fields of moves: their size, a custom one, and what applies to every move.
 *
 * @module
 */
import { MOVE_SIZE, type MoveSize } from "../../lib/world/protocol/camera_keys.ts";
import { MOTION_TABLE } from "../../lib/world/protocol/motion_table.ts";
import type { Move } from "./moves.ts";
import { byId, readNumber } from "../ui/dom.ts";
import type { TransitionRequestBody } from "../../lib/world/protocol/requests/request_bodies.ts";

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
  const camera = { motion: "custom", translationMeters: translation, rotationDegrees: rotation } as const;
  return { camera: () => camera, done: MOTION_TABLE.custom.done };
}

/** The fields of a move besides the camera. */
export type SceneValues = Pick<TransitionRequestBody, "prompt" | "seed" | "steps" | "guidanceScale">;

/** The fields that apply to every move: prompt and generation settings. */
export class SceneFields {
  readonly #prompt = byId("prompt", HTMLTextAreaElement);
  readonly #seed = byId("seed", HTMLInputElement);

  /** Fills in a prompt, unless there is another one than `before`. */
  fill(prompt: string, before: string = ""): void {
    if (this.#prompt.value.trim() === before) this.#prompt.value = prompt;
  }

  /**
   * The entered values; empty fields are left to the server.
   *
   * @throws {Error} when a field is invalid
   */
  read(): SceneValues {
    const prompt = this.#prompt.value.trim();
    const seed = this.#seed.value.trim();
    if (prompt === "") {
      throw new Error("Cannot walk: the description of the world is empty, fill it in under More");
    }
    if (!/^\d*$/.test(seed)) throw new Error(`Cannot walk: the seed is ${seed}, expected a whole number or nothing`);
    const steps = readNumber("steps");
    const guidance = readNumber("guidance");
    return {
      prompt,
      ...(seed !== "" && { seed }),
      ...(steps !== undefined && { steps }),
      ...(guidance !== undefined && { guidanceScale: guidance }),
    };
  }
}
