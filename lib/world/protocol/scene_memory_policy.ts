/**
 * Checks the options of scene memory.
 *
 * @module
 */
import type { SceneMemoryPolicyRecord } from "./wire.ts";

/** Options of scene memory, with defaults for omitted ones. */
export interface SceneMemoryOptions {
  /** Weight of a stored latent in an inexact return, 0 to 1; 0.08 by default. */
  readonly strength?: number | undefined;
  /** Maximum number of stored latents; 96 by default. */
  readonly maxFrames?: number | undefined;
  /** Minimum number of latents between a stored one and its return; 3 by default. */
  readonly minimumGap?: number | undefined;
  /** Maximum angle between a stored latent and its return, in degrees; 2 by default. */
  readonly maxYaw?: number | undefined;
  /** Maximum distance between a stored latent and its return, in model units; 0.1 by default. */
  readonly maxTranslation?: number | undefined;
  /** Angle within which a return is exact, in degrees; 0.01 by default. */
  readonly exactYaw?: number | undefined;
  /** Distance within which a return is exact, in model units; 0.001 by default. */
  readonly exactTranslation?: number | undefined;
}

/** The name of an option. */
export type SceneMemoryOption = keyof SceneMemoryOptions;

/** The defaults of the options. */
export const SCENE_MEMORY_DEFAULTS: Readonly<Record<SceneMemoryOption, number>> = {
  strength: 0.08,
  maxFrames: 96,
  minimumGap: 3,
  maxYaw: 2,
  maxTranslation: 0.1,
  exactYaw: 0.01,
  exactTranslation: 0.001,
};

/**
 * Makes the rules of scene memory.
 *
 * @param nameOf The name of an option in error sentences, where it is not the option's own.
 * @throws {RangeError} when an option is not finite, out of range, or stricter than its exact counterpart
 *
 * @example
 * ```ts
 * import { sceneMemoryPolicy } from "./scene_memory_policy.ts";
 * const policy = sceneMemoryPolicy({ maxFrames: 32 });
 * console.assert(policy.maximumFrameCount === 32 && policy.recyclingStrength === 0.08);
 * ```
 */
export function sceneMemoryPolicy(
  options: SceneMemoryOptions = {},
  nameOf: (option: SceneMemoryOption) => string = (option) => option,
): SceneMemoryPolicyRecord {
  const take = (option: SceneMemoryOption, isRight: (value: number) => boolean, expected: string): number => {
    const value = options[option] ?? SCENE_MEMORY_DEFAULTS[option];
    if (Number.isFinite(value) && isRight(value)) return value;
    throw new RangeError(`Cannot use scene memory: ${nameOf(option)} is ${value}, expected ${expected}`);
  };
  const count = (option: SceneMemoryOption) =>
    take(option, (n) => Number.isSafeInteger(n) && n >= 0, "a whole number of at least 0");
  const distance = (option: SceneMemoryOption) => take(option, (x) => x >= 0, "a finite number of at least 0");
  const exact = (option: SceneMemoryOption, limit: SceneMemoryOption, max: number) =>
    take(option, (x) => x >= 0 && x <= max, `a finite number from 0 to ${nameOf(limit)}, which is ${max}`);
  const maxYaw = distance("maxYaw");
  const maxTranslation = distance("maxTranslation");
  return {
    mode: "paper_reconstructed_revisit_anchor",
    maximumFrameCount: count("maxFrames"),
    minimumFrameGap: count("minimumGap"),
    maximumYawDistanceDegrees: maxYaw,
    maximumTranslationDistance: maxTranslation,
    exactRevisitMaximumYawDistanceDegrees: exact("exactYaw", "maxYaw", maxYaw),
    exactRevisitMaximumTranslationDistance: exact("exactTranslation", "maxTranslation", maxTranslation),
    recyclingStrength: take("strength", (x) => x >= 0 && x <= 1, "a finite number from 0 to 1"),
  };
}

/** The default policy. */
export const DEFAULT_SCENE_MEMORY: SceneMemoryPolicyRecord = sceneMemoryPolicy();

/** The policy without scene memory. */
export const DISABLED_SCENE_MEMORY: SceneMemoryPolicyRecord = {
  mode: "disabled",
  maximumFrameCount: 0,
  minimumFrameGap: 0,
  maximumYawDistanceDegrees: 0,
  maximumTranslationDistance: 0,
  exactRevisitMaximumYawDistanceDegrees: 0,
  exactRevisitMaximumTranslationDistance: 0,
  recyclingStrength: 0,
};

/** The rules that options give: the published ones by default, none where they are `false`. */
export function sceneMemoryRules(options: false | SceneMemoryOptions | undefined): SceneMemoryPolicyRecord {
  return options === false ? DISABLED_SCENE_MEMORY : sceneMemoryPolicy(options);
}
