/**
 * Checks of the vision models.
 *
 * @module
 */
import type { Checks, JsonCheck } from "../../check.ts";
import { da3Checks } from "./da3_checks.ts";
import { checkDa3Sizes, da3SceneChecks } from "./da3_scene_checks.ts";
import { checkDinoV2 } from "./dinov2_check.ts";
import { instantMeshChecks } from "./instantmesh_checks.ts";
import { checkMeshFacts } from "./mesh_check.ts";
import { checkMogeTokens, mogeChecks } from "./moge_checks.ts";
import {
  checkDa3Names,
  checkInstantMeshNames,
  checkMoge2Names,
  checkTripoSrNames,
  checkVideoDepthNames,
} from "./names_check.ts";
import { tripoSrChecks } from "./triposr_checks.ts";
import { checkVdaPlan, vdaChecks } from "./vda_checks.ts";

export const visionChecks: Checks = {
  dinov2: checkDinoV2,
  ...mogeChecks,
  ...da3Checks,
  ...da3SceneChecks,
  ...vdaChecks,
  ...tripoSrChecks,
  ...instantMeshChecks,
};

export const visionJsonChecks: readonly (readonly [string, JsonCheck])[] = [
  ["moge_tokens", checkMogeTokens],
  ["da3_sizes", checkDa3Sizes],
  ["vda_plan", checkVdaPlan],
  ["mesh_facts", checkMeshFacts],
  ["names_moge2", checkMoge2Names],
  ["names_vda", checkVideoDepthNames],
  ["names_triposr", checkTripoSrNames],
  ["names_instantmesh", checkInstantMeshNames],
  ["names_da3", checkDa3Names],
];
