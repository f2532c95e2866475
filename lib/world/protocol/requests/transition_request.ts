/**
 * The transition request: its fields, whose bounds depend on the kind of world model, and the request of an arworld.
 *
 * @module
 */
import * as v from "valibot";
import {
  integerField,
  MAX_FPS,
  MAX_GEOMETRY,
  type MoveDefaults,
  type MoveRequest,
  pathField,
  positiveField,
  seedField,
  sideField,
} from "./move_fields.ts";
import { type BodySchema, readRequestFields } from "./request_fields.ts";
import { invalidRequest } from "../../../errors/svc_error.ts";
import { listField } from "../../../json/bounded_fields.ts";
import type { CameraRecord } from "../job_record.ts";
import { motionsOf } from "../motion_table.ts";
import { fromWire, type Wire } from "../../../json/wire_form.ts";

/** Maximum number of frames of a transition: those of the longest rollout. */
export const MAX_TRANSITION_FRAMES = 1005;

/** Default number of frames of a transition. */
export const DEFAULT_FRAMES = 17;

const finite = "expected a finite number";
const guidance = "expected a finite number of at least 0";
const nine = "expected rows of 9 finite numbers";

/** Rows of a trajectory. Those beyond the frames of the move are left out, so that some more than needed are fine. */
const MAX_ROWS = 4096;

/** A fixed number of finite numbers. */
function numbers(count: number, message: string) {
  return listField(v.pipe(v.number(finite), v.finite(finite)), { min: count, max: count, expected: message });
}

function motionField(motions: readonly string[]) {
  const motion = `expected one of ${motions.join(", ")}`;
  return v.pipe(v.string(motion), v.check((name) => motions.includes(name), motion), v.metadata({ enum: motions }));
}

/** A validated transition request; values are undefined when omitted and dependent on the model. */
export interface TransitionRequest extends MoveRequest {
  readonly prompt: string;
  readonly camera: CameraRecord;
  /** As requested. */
  readonly numFrames: number | undefined;
  /** Minimum number of frames that the move shows. */
  readonly frames: number;
  readonly steps: number | undefined;
  readonly guidanceScale: number;
  readonly shift: number;
  /** The exact trajectory, nine finite numbers a row. */
  readonly modelSpaceActions: readonly (readonly number[])[] | undefined;
}

/** What differs between the kinds of world model. */
interface TransitionBounds {
  readonly width: number;
  readonly height: number;
  /** Sides are multiples of this. */
  readonly unit: number;
  readonly frames: v.GenericSchema<number>;
  /** Whether the camera can rise, sink and roll. */
  readonly freeCamera: boolean;
  readonly guidanceScale: number;
  readonly shift: number;
  readonly seed: number;
}

/** A transition body with valid fields. */
interface TransitionFields {
  readonly prompt: string;
  readonly camera: {
    readonly motion: string;
    readonly translation_meters: readonly number[];
    readonly rotation_degrees: readonly number[];
  };
  readonly source_image?: string | undefined;
  readonly output?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly num_frames?: number | undefined;
  readonly steps?: number | undefined;
  readonly guidance_scale: number;
  readonly shift: number;
  readonly seed: number | string;
  readonly fps?: number | undefined;
  readonly model_space_actions?: readonly (readonly number[])[] | undefined;
}

/** The fields with the bounds and defaults of one kind of world model. */
export function transitionFields(bounds: TransitionBounds): BodySchema<TransitionFields> {
  return v.object({
    prompt: v.string("expected a string"),
    camera: v.pipe(
      v.object({
        motion: motionField(motionsOf(bounds.freeCamera)),
        translation_meters: numbers(3, "expected 3 numbers"),
        rotation_degrees: numbers(3, "expected 3 numbers"),
      }, "expected an object with motion, translation_meters and rotation_degrees"),
      v.forward(
        v.check(
          ({ motion, translation_meters: [, y] }) => bounds.freeCamera || motion !== "custom" || y === 0,
          "expected 0 as the second number: this world cannot rise or sink",
        ),
        ["translation_meters"],
      ),
      v.forward(
        v.check(
          ({ motion, rotation_degrees: [, , z] }) => bounds.freeCamera || motion !== "custom" || z === 0,
          "expected 0 as the third number: this world cannot roll",
        ),
        ["rotation_degrees"],
      ),
    ),
    source_image: v.optional(pathField),
    output: v.optional(pathField),
    width: v.optional(sideField(bounds.width, bounds.unit)),
    height: v.optional(sideField(bounds.height, bounds.unit)),
    num_frames: v.optional(bounds.frames),
    steps: v.optional(integerField(1, 1000)),
    guidance_scale: v.optional(
      v.pipe(v.number(guidance), v.finite(guidance), v.minValue(0, guidance)),
      bounds.guidanceScale,
    ),
    shift: v.optional(positiveField, bounds.shift),
    seed: v.optional(seedField, bounds.seed),
    fps: v.optional(integerField(1, MAX_FPS)),
    model_space_actions: v.optional(
      listField(numbers(9, nine), {
        min: 1,
        max: MAX_ROWS,
        expected: `expected 1 to ${MAX_ROWS} rows of 9 finite numbers`,
      }),
    ),
  });
}

/** The values of validated fields. */
export function transitionRequest(fields: TransitionFields): TransitionRequest {
  return {
    prompt: fields.prompt,
    camera: fromWire<CameraRecord>(fields.camera as unknown as Wire<CameraRecord>), // a vector of length 3 is a triple
    sourceImage: fields.source_image,
    output: fields.output,
    width: fields.width,
    height: fields.height,
    numFrames: fields.num_frames,
    frames: fields.num_frames ?? DEFAULT_FRAMES,
    steps: fields.steps,
    guidanceScale: fields.guidance_scale,
    shift: fields.shift,
    seed: BigInt(fields.seed),
    fps: fields.fps,
    modelSpaceActions: fields.model_space_actions,
  };
}

/** Defaults of an arworld transition, unless the request or the model's configuration overrides them. */
export const TRANSITION_DEFAULTS: MoveDefaults = { kind: "transition", width: 512, height: 320, fps: 24 };

const fields = transitionFields({
  ...MAX_GEOMETRY,
  unit: 32,
  frames: integerField(1, MAX_TRANSITION_FRAMES),
  freeCamera: false,
  guidanceScale: 5,
  shift: 5,
  seed: 42,
});

/**
 * Checks the body of a transition request. The diffusion settings are checked and not used: few-step weights bring
 * their own schedule.
 *
 * @throws {SvcError} `invalid_request_error` with the field in `param`.
 *
 * @example
 * ```ts
 * import { readTransitionRequest } from "./transition_request.ts";
 * const camera = { motion: "yawLeft", translationMeters: [0, 0, 0], rotationDegrees: [0, -15, 0] };
 * const request = readTransitionRequest({ prompt: "a corridor", camera, numFrames: 9 });
 * console.assert(request.camera.rotationDegrees[1] === -15 && request.seed === 42n);
 * ```
 */
export function readTransitionRequest(body: unknown): TransitionRequest {
  const read = transitionRequest(readRequestFields("start a transition", body, fields, fields));
  if (read.modelSpaceActions === undefined) return read;
  const message = 'Cannot start a transition: "model_space_actions" is for an actionworld only, expected a camera move';
  throw invalidRequest("unsupported_for_backend", message, "model_space_actions");
}
