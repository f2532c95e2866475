/**
 * Checks of the vision models.
 *
 * @module
 */
import type { Checks } from "../../check.ts";
import type { Comparison } from "../../golden.ts";
import { da3Checks } from "./da3_checks.ts";
import { checkDa3Sizes, da3SceneChecks } from "./da3_scene_checks.ts";
import { checkDinoV2 } from "./dinov2_check.ts";
import { checkMogeTokens, mogeChecks } from "./moge_checks.ts";
import { checkDa3Names, checkMoge2Names, checkVideoDepthNames } from "./names_check.ts";
import { checkVdaPlan, vdaChecks } from "./vda_checks.ts";

export const visionChecks: Checks = {
  dinov2: checkDinoV2,
  ...mogeChecks,
  ...da3Checks,
  ...da3SceneChecks,
  ...vdaChecks,
};

export const visionJsonChecks: readonly (readonly [string, (json: unknown) => Comparison[]])[] = [
  ["moge_tokens", checkMogeTokens],
  ["da3_sizes", checkDa3Sizes],
  ["vda_plan", checkVdaPlan],
  ["names_moge2", checkMoge2Names],
  ["names_vda", checkVideoDepthNames],
  ["names_da3", checkDa3Names],
];
