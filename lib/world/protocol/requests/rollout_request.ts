/**
 * The rollout request: its schema and the values it means.
 *
 * @module
 */
import * as v from "valibot";
import { listField } from "../../../json/bounded_fields.ts";
import { integerField, MAX_FPS, MAX_GEOMETRY, pathField, positiveField, seedField, sideField } from "./move_fields.ts";
import { readRequestFields } from "./request_fields.ts";
import { motionKeys, OPPOSITE_KEYS } from "../motion_table.ts";

/** Defaults of an arworld rollout, unless the request or the model's configuration overrides them. */
export const ROLLOUT_DEFAULTS = { kind: "rollout", width: 1280, height: 704, fps: 16 } as const;

/** Most latent frames of a rollout. */
const MAX_LATENTS = 252;

/** Pixel frames over which the actions of a rollout of `latents` latent frames are planned. */
export function plannedFrames(latents: number): number {
  return (latents - 1) * 4 + 1;
}

function isLatentCount(n: number): boolean {
  return n > 0 && n % 3 === 0 && n <= MAX_LATENTS;
}

const MAX_ACTIONS = plannedFrames(MAX_LATENTS);
const MAX_KEYS = 64;
const keys = motionKeys(false); // a rollout is for an arworld
const opposites = OPPOSITE_KEYS.filter(([key]) => keys.includes(key));
const letters = keys.join("");
const action = v.pipe(
  v.string("expected a string of keys"),
  v.maxLength(MAX_KEYS, `expected at most ${MAX_KEYS} keys`),
  v.toLowerCase(),
  v.regex(new RegExp(`^[${letters} ]+$`), `expected keys out of ${keys.join(" ")}, or a space`),
  v.metadata({ pattern: `^[${letters}${letters.toUpperCase()} ]+$` }),
  v.check(
    (held) => !opposites.some(([a, b]) => held.includes(a) && held.includes(b)),
    `expected no opposite keys (${opposites.map((pair) => pair.join(" and ")).join(", ")})`,
  ),
);
const latents = `expected a multiple of 3 from 3 to ${MAX_LATENTS}`;

const rolloutFields = v.object({
  prompt: v.pipe(v.string("expected a string"), v.trim(), v.nonEmpty("expected a non-empty text")),
  action_seq: listField(action, {
    min: 1,
    max: MAX_ACTIONS,
    expected: `expected an array of 1 to ${MAX_ACTIONS} strings`,
  }),
  action_speed_list: v.optional(
    listField(positiveField, { max: MAX_ACTIONS, expected: `expected an array of at most ${MAX_ACTIONS} numbers` }),
  ),
  source_image: v.optional(pathField),
  width: v.optional(sideField(MAX_GEOMETRY.width)),
  height: v.optional(sideField(MAX_GEOMETRY.height)),
  num_output_frames: v.optional(
    v.pipe(
      v.number(latents),
      v.check(isLatentCount, latents),
      v.metadata({ multipleOf: 3, minimum: 3, maximum: MAX_LATENTS }),
    ),
    21,
  ),
  speed: v.optional(positiveField, 1.5),
  seed: v.optional(seedField, 42),
  fps: v.optional(integerField(1, MAX_FPS)),
  output: v.optional(pathField),
});

const rolloutSchema = v.pipe(
  rolloutFields,
  v.forward(
    v.check(
      ({ action_seq, action_speed_list: list }) => list === undefined || list.length === action_seq.length,
      "expected one number for each action of action_seq",
    ),
    ["action_speed_list"],
  ),
  v.forward(
    v.check(
      ({ action_speed_list: list = [] }) => Number.isFinite(list.reduce((a, b) => a + b, 0)),
      "expected numbers whose sum is finite",
    ),
    ["action_speed_list"],
  ),
  v.forward(
    v.check(
      ({ action_seq, num_output_frames: n }) => !isLatentCount(n) || action_seq.length <= plannedFrames(n),
      "expected at most (num_output_frames - 1) * 4 + 1 actions",
    ),
    ["action_seq"],
  ),
);

/** The body of a rollout request, for the API description. */
export const rolloutBodySchema: v.GenericSchema = rolloutFields;

/** A validated rollout request; values are undefined when omitted and dependent on the model. */
export interface RolloutRequest {
  readonly prompt: string;
  /** In lower case. */
  readonly actions: readonly string[];
  /** Relative durations, one per action. */
  readonly weights: readonly number[];
  readonly sourceImage: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Latent frames: a multiple of 3. */
  readonly latentFrames: number;
  /** Model-space rate: at 1, 0.05 units and 1 degree per pixel frame. */
  readonly speed: number;
  readonly seed: bigint;
  readonly fps: number | undefined;
  readonly output: string | undefined;
}

/** The order in which violations are reported, whatever the order in the body. */
const order = [
  "prompt",
  "action_seq",
  "action_seq[",
  "action_speed_list",
  "width",
  "height",
  "num_output_frames",
  "speed",
  "fps",
  "seed",
  "source_image",
  "output",
];

/**
 * Checks the body of a rollout request.
 *
 * @throws {SvcError} `invalid_request_error` with the field in `param`.
 *
 * @example
 * ```ts
 * import { readRolloutRequest } from "./rollout_request.ts";
 * const request = readRolloutRequest({ prompt: "a corridor", actionSeq: ["W", "wl"], seed: "18446744073709551615" });
 * console.assert(request.actions[0] === "w" && request.latentFrames === 21);
 * console.assert(request.seed === 2n ** 64n - 1n);
 * ```
 */
export function readRolloutRequest(body: unknown): RolloutRequest {
  const fields = readRequestFields(
    "start a rollout",
    body,
    rolloutFields,
    rolloutSchema,
    (param) => order.indexOf(param.startsWith("action_seq[") ? "action_seq[" : param.replace(/\[.*/, "")),
  );
  return {
    prompt: fields.prompt,
    actions: fields.action_seq,
    weights: fields.action_speed_list ?? fields.action_seq.map(() => 1),
    sourceImage: fields.source_image,
    width: fields.width,
    height: fields.height,
    latentFrames: fields.num_output_frames,
    speed: fields.speed,
    seed: BigInt(fields.seed),
    fps: fields.fps,
    output: fields.output,
  };
}
