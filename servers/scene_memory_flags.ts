/**
 * The flags of scene memory.
 *
 * @module
 */
import { type FlagTable, type FlagValues, UsageError } from "../lib/runtime/flags.ts";
import {
  DISABLED_SCENE_MEMORY,
  SCENE_MEMORY_DEFAULTS,
  type SceneMemoryOption,
  sceneMemoryPolicy,
} from "../lib/world/scene_memory_policy.ts";
import type { SceneMemoryPolicyRecord } from "../lib/world/wire.ts";

/** Numbers are read as text, since wrong ones do not matter when memory is disabled. */
const number = (option: SceneMemoryOption, help: string) =>
  ({ kind: "string", value: "N", default: `${SCENE_MEMORY_DEFAULTS[option]}`, help }) as const;

/** The flags; a number's name is that of its option. */
export const sceneMemoryFlags = {
  "scene-memory-strength": number("strength", "weight of a kept latent in a return that is not exact, 0 to 1"),
  "scene-memory-max-frames": number("maxFrames", "latents that are kept at most"),
  "scene-memory-minimum-gap": number("minimumGap", "latents between a kept one and its return, at least"),
  "scene-memory-max-yaw": number("maxYaw", "degrees between a kept latent and its return, at most"),
  "scene-memory-max-translation": number("maxTranslation", "model units between them, at most"),
  "scene-memory-exact-yaw": number("exactYaw", "degrees within which a return is exact"),
  "scene-memory-exact-translation": number("exactTranslation", "model units within which a return is exact"),
  "disable-scene-memory": { kind: "boolean", help: "keep nothing; the other memory flags have no meaning then" },
} as const satisfies FlagTable;

/**
 * The rules of scene memory that a command line asks for.
 *
 * @throws {UsageError} when a number is none or out of range, unless memory is disabled
 */
export function readSceneMemory(given: FlagValues<typeof sceneMemoryFlags>): SceneMemoryPolicyRecord {
  if (given["disable-scene-memory"]) return DISABLED_SCENE_MEMORY;
  const numberOf = (name: Exclude<keyof typeof sceneMemoryFlags, "disable-scene-memory">): number => {
    const text = given[name];
    if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
    throw new UsageError(`Cannot use scene memory: --${name} is "${text}", expected a finite number`);
  };
  const options = {
    strength: numberOf("scene-memory-strength"),
    maxFrames: numberOf("scene-memory-max-frames"),
    minimumGap: numberOf("scene-memory-minimum-gap"),
    maxYaw: numberOf("scene-memory-max-yaw"),
    maxTranslation: numberOf("scene-memory-max-translation"),
    exactYaw: numberOf("scene-memory-exact-yaw"),
    exactTranslation: numberOf("scene-memory-exact-translation"),
  };
  try {
    return sceneMemoryPolicy(options, (option) => `--scene-memory-${dashed(option)}`);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/** `maxYaw` -> `max-yaw`. */
function dashed(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
