/**
 * The flags of scene memory.
 *
 * @module
 */
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import {
  SCENE_MEMORY_DEFAULTS,
  type SceneMemoryOption,
  type SceneMemoryOptions,
  sceneMemoryPolicy,
} from "../../lib/world/protocol/scene_memory_policy.ts";

type NumberName = `scene-memory-${
  | "strength"
  | "max-frames"
  | "minimum-gap"
  | "max-yaw"
  | "max-translation"
  | "exact-yaw"
  | "exact-translation"}`;

const NAMES: Readonly<Record<SceneMemoryOption, NumberName>> = {
  strength: "scene-memory-strength",
  maxFrames: "scene-memory-max-frames",
  minimumGap: "scene-memory-minimum-gap",
  maxYaw: "scene-memory-max-yaw",
  maxTranslation: "scene-memory-max-translation",
  exactYaw: "scene-memory-exact-yaw",
  exactTranslation: "scene-memory-exact-translation",
};

/** A number that is read as text, since an invalid one does not matter when memory is disabled. */
interface NumberFlag {
  readonly kind: "string";
  readonly value: "N";
  readonly default: string;
  readonly help: string;
}

/** The flags of scene memory by name. */
export type SceneMemoryFlags =
  & Readonly<Record<NumberName, NumberFlag>>
  & Readonly<Record<"disable-scene-memory", { readonly kind: "boolean"; readonly help: string }>>;

/** The values of the flags. */
export type SceneMemoryFlagValues =
  & Readonly<Record<NumberName, string>>
  & Readonly<Record<"disable-scene-memory", boolean>>;

const number = (option: SceneMemoryOption, help: string): NumberFlag => {
  return { kind: "string", value: "N", default: `${SCENE_MEMORY_DEFAULTS[option]}`, help };
};

/** The flags. */
export const sceneMemoryFlags: SceneMemoryFlags = {
  "scene-memory-strength": number("strength", "weight of a stored latent in an inexact return, 0 to 1"),
  "scene-memory-max-frames": number("maxFrames", "maximum number of stored latents"),
  "scene-memory-minimum-gap": number("minimumGap", "minimum number of latents between a stored one and its return"),
  "scene-memory-max-yaw": number("maxYaw", "maximum angle between a stored latent and its return, in degrees"),
  "scene-memory-max-translation": number(
    "maxTranslation",
    "maximum distance between a stored latent and its return, in model units",
  ),
  "scene-memory-exact-yaw": number("exactYaw", "angle within which a return is exact, in degrees"),
  "scene-memory-exact-translation": number(
    "exactTranslation",
    "distance within which a return is exact, in model units",
  ),
  "disable-scene-memory": { kind: "boolean", help: "store no latents; the other memory flags are ignored" },
};

/**
 * The options of scene memory that a command line asks for.
 *
 * @throws {UsageError} when a number is invalid or out of range, unless memory is disabled
 */
export function readSceneMemory(given: SceneMemoryFlagValues): false | SceneMemoryOptions {
  if (given["disable-scene-memory"]) return false;
  const options: { [O in SceneMemoryOption]?: number } = {};
  for (const option of Object.keys(NAMES) as SceneMemoryOption[]) options[option] = readNumber(NAMES[option], given);
  try {
    sceneMemoryPolicy(options, (option) => `--${NAMES[option]}`);
    return options;
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

function readNumber(name: NumberName, given: SceneMemoryFlagValues): number {
  const text = given[name];
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  throw new UsageError(`Cannot use scene memory: --${name} is "${text}", expected a finite number`);
}
