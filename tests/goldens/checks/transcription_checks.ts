/** Checks of what turns sound into text. */
import type { Checks } from "../check.ts";
import { checkResample } from "./resample_check.ts";

export const transcriptionChecks: Checks = {
  resample: checkResample,
};
