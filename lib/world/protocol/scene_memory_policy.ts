/**
 * The rules of scene memory from options, checked.
 *
 * @module
 */
import type { SceneMemoryPolicyRecord } from "./wire.ts";

/** Options of scene memory; what is left out has its default. */
export interface SceneMemoryOptions {
  /** Weight of a stored latent in a return that is not exact, 0 to 1; 0.08 by default. */
  readonly strength?: number | undefined;
  /** Latents that are stored at most; 96 by default. */
  readonly maxFrames?: number | undefined;
  /** Latents between a stored one and its return, at least; 3 by default. */
  readonly minimumGap?: number | undefined;
  /** Degrees between a stored latent and its return, at most; 2 by default. */
  readonly maxYaw?: number | undefined;
  /** Model units between a stored latent and its return, at most; 0.1 by default. */
  readonly maxTranslation?: number | undefined;
  /** Degrees within which a return is exact; 0.01 by default. */
  readonly exactYaw?: number | undefined;
  /** Model units within which a return is exact; 0.001 by default. */
  readonly exactTranslation?: number | undefined;
}

/** The name of an option. */
export type SceneMemoryOption = keyof SceneMemoryOptions;

/** What options have when they are left out. */
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
 * console.assert(policy.maximum_frame_count === 32 && policy.recycling_strength === 0.08);
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
    take(option, (n) => Number.isSafeInteger(n) && n >= 0, "a whole number that is not negative");
  const distance = (option: SceneMemoryOption) => take(option, (x) => x >= 0, "a finite number that is not negative");
  const exact = (option: SceneMemoryOption, limit: SceneMemoryOption, max: number) =>
    take(option, (x) => x >= 0 && x <= max, `a finite number from 0 to ${nameOf(limit)}, which is ${max}`);
  const maxYaw = distance("maxYaw");
  const maxTranslation = distance("maxTranslation");
  return {
    mode: "paper_reconstructed_revisit_anchor",
    maximum_frame_count: count("maxFrames"),
    minimum_frame_gap: count("minimumGap"),
    maximum_yaw_distance_degrees: maxYaw,
    maximum_translation_distance: maxTranslation,
    exact_revisit_maximum_yaw_distance_degrees: exact("exactYaw", "maxYaw", maxYaw),
    exact_revisit_maximum_translation_distance: exact("exactTranslation", "maxTranslation", maxTranslation),
    recycling_strength: take("strength", (x) => x >= 0 && x <= 1, "a finite number from 0 to 1"),
  };
}

/** The rules in force when nothing else is said. */
export const DEFAULT_SCENE_MEMORY: SceneMemoryPolicyRecord = sceneMemoryPolicy();

/** No scene memory. */
export const DISABLED_SCENE_MEMORY: SceneMemoryPolicyRecord = {
  mode: "disabled",
  maximum_frame_count: 0,
  minimum_frame_gap: 0,
  maximum_yaw_distance_degrees: 0,
  maximum_translation_distance: 0,
  exact_revisit_maximum_yaw_distance_degrees: 0,
  exact_revisit_maximum_translation_distance: 0,
  recycling_strength: 0,
};
