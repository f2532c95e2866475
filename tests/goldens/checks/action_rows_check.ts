/**
 * Check of camera moves, actions and prompts against `action_rows.json.br`.
 *
 * @module
 */
import * as v from "valibot";
import { compileActions, fitActions } from "../../../lib/models/actionworld/action_rows.ts";
import { actionMessage } from "../../../lib/models/actionworld/prompt_message.ts";
import { type CameraMotion, MOTION_TABLE } from "../../../lib/world/protocol/motion_table.ts";
import { isOpposite } from "../../../lib/world/session/graph/edges.ts";
import { type Comparison, largestDifference, type Numbers } from "../golden.ts";

const TOLERANCE = 1e-6;
const vector = v.tuple([v.number(), v.number(), v.number()]);
const rows = v.array(v.array(v.number()));
const moveSchema = v.object({
  num_frames: v.number(),
  width: v.number(),
  height: v.number(),
  fps: v.number(),
  motion: v.string(),
  translationMeters: vector,
  rotationDegrees: vector,
  source_image: v.optional(v.boolean(), false),
  model_space_actions: v.optional(v.boolean(), false),
});
const fileSchema = v.object({
  cases: v.array(v.object({
    camera: v.object({ motion: v.string(), translationMeters: vector, rotationDegrees: vector }),
    num_frames: v.number(),
    rows,
  })),
  fit_cases: v.array(v.object({ model_space_actions: rows, num_frames: v.number(), expected: rows })),
  invalid_rows: v.array(
    v.object({ why: v.string(), rows: v.optional(v.unknown()), rows_json: v.optional(v.string()) }),
  ),
  prompts: v.array(v.object({
    prompt: v.string(),
    num_frames: v.number(),
    fps: v.number(),
    height: v.number(),
    width: v.number(),
    expected_user_message: v.string(),
  })),
  session: v.object({
    inverse_recognition: v.array(v.object({
      previous_edge: moveSchema,
      request: moveSchema,
      is_inverse_replay: v.boolean(),
      why: v.string(),
    })),
  }),
});
type Move = v.InferOutput<typeof moveSchema>;

/** Compares every move, fit, refusal and message of the file with ours. */
export function checkActionRows(json: unknown): Comparison[] {
  const file = v.parse(fileSchema, json);
  const comparisons: Comparison[] = [];
  const compare = (name: string, ours: Numbers, expected: Numbers) =>
    comparisons.push({ name, maxAbs: largestDifference(ours, expected), tolerance: TOLERANCE });
  const require = (name: string, holds: boolean) =>
    comparisons.push({ name, maxAbs: holds ? 0 : Infinity, tolerance: 0 });

  file.cases.forEach(({ camera, num_frames, rows }, i) => {
    const direction = MOTION_TABLE[camera.motion as CameraMotion].translation;
    const ours = compileActions({ ...camera, direction }, num_frames - 1);
    compare(`case ${i} (${camera.motion})`, ours, rows.flat());
  });
  file.fit_cases.forEach(({ model_space_actions, num_frames, expected }, i) => {
    compare(`fit ${i}`, fitActions(model_space_actions, num_frames - 1), expected.flat());
  });
  for (const { why, rows, rows_json } of file.invalid_rows) {
    require(`refuses rows: ${why}`, isRefused(rows_json === undefined ? rows : JSON.parse(rows_json)));
  }
  for (const { prompt, num_frames: frames, fps, height, width, expected_user_message } of file.prompts) {
    require(`message of "${prompt}"`, actionMessage({ prompt, frames, fps, height, width }) === expected_user_message);
  }
  for (const { previous_edge, request, is_inverse_replay, why } of file.session.inverse_recognition) {
    // The file says that custom never matches; here custom moves that cancel each other do.
    if (previous_edge.motion === "custom") continue;
    require(`recognises an inverse: ${why}`, isInverse(previous_edge, request) === is_inverse_replay);
  }
  return comparisons;
}

function isInverse(before: Move, after: Move): boolean {
  const camera = ({ motion, translationMeters, rotationDegrees }: Move) => ({
    motion: motion as CameraMotion,
    translationMeters: translationMeters,
    rotationDegrees: rotationDegrees,
  });
  const { width, height, fps, num_frames: numFrames } = after;
  if (after.source_image || after.model_space_actions) return false;
  const same = width === before.width && height === before.height && fps === before.fps &&
    numFrames === before.num_frames;
  return same && isOpposite(camera(before), camera(after));
}

function isRefused(rows: unknown): boolean {
  try {
    fitActions(rows, 1);
    return false;
  } catch (error) {
    return error instanceof RangeError;
  }
}
