/**
 * Checks of the vision models.
 *
 * @module
 */
import type { Checks } from "../../check.ts";
import type { Comparison } from "../../golden.ts";
import { checkDinoV2 } from "./dinov2_check.ts";
import { checkMogeTokens, mogeChecks } from "./moge_checks.ts";
import { checkMoge2Names } from "./names_check.ts";

export const visionChecks: Checks = { dinov2: checkDinoV2, ...mogeChecks };

export const visionJsonChecks: readonly (readonly [string, (json: unknown) => Comparison[]])[] = [
  ["moge_tokens", checkMogeTokens],
  ["names_moge2", checkMoge2Names],
];
