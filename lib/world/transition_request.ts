/**
 * The transition request: its schema and the values it means.
 *
 * @module
 */
import * as v from "valibot";
import { integerField, MAX_FPS, MAX_GEOMETRY, pathField, positiveField, seedField, sideField } from "./move_fields.ts";
import { readRequestFields } from "./request_fields.ts";
import type { CameraMotion, CameraRecord } from "./wire.ts";
import { invalidRequest } from "./world_error.ts";

/** What an arworld transition takes when neither the request nor the model's configuration says more. */
export const TRANSITION_DEFAULTS = { kind: "transition", width: 512, height: 320, fps: 24 } as const;

/** Most frames of a transition: those of the longest rollout. */
export const MAX_TRANSITION_FRAMES = 1005;

const DEFAULT_FRAMES = 17;

const MOTIONS: readonly CameraMotion[] = [
  "hold",
  "forward",
  "backward",
  "strafeLeft",
  "strafeRight",
  "yawLeft",
  "yawRight",
  "custom",
];
const motion = `expected one of ${MOTIONS.join(", ")}`;
const finite = "expected a finite number";
const vector = v.pipe(
  v.array(v.pipe(v.number(finite), v.finite(finite)), "expected an array of 3 numbers"),
  v.length(3, "expected 3 numbers"),
);
const guidance = "expected a finite number from 0 up";

const transitionFields = v.object({
  prompt: v.string("expected a string"),
  camera: v.object({
    motion: v.pipe(
      v.string(motion),
      v.check((name) => MOTIONS.includes(name as CameraMotion), motion),
      v.metadata({ enum: MOTIONS }),
    ),
    translation_meters: vector,
    rotation_degrees: vector,
  }, "expected an object with motion, translation_meters and rotation_degrees"),
  source_image: v.optional(pathField),
  output: v.optional(pathField),
  width: v.optional(sideField(MAX_GEOMETRY.width)),
  height: v.optional(sideField(MAX_GEOMETRY.height)),
  num_frames: v.optional(integerField(1, MAX_TRANSITION_FRAMES)),
  steps: v.optional(integerField(1, 1000), 40),
  guidance_scale: v.optional(v.pipe(v.number(guidance), v.finite(guidance), v.minValue(0, guidance)), 5),
  shift: v.optional(positiveField, 5),
  seed: v.optional(seedField, 42),
  fps: v.optional(integerField(1, MAX_FPS)),
  model_space_actions: v.optional(v.unknown()),
});

const transitionSchema = v.pipe(
  transitionFields,
  v.forward(
    v.check(
      ({ camera: { motion, translation_meters: [, y] } }) => motion !== "custom" || y === 0,
      "expected 0 for its second number: an arworld cannot rise or sink",
    ),
    ["camera", "translation_meters"],
  ),
  v.forward(
    v.check(
      ({ camera: { motion, rotation_degrees: [, , z] } }) => motion !== "custom" || z === 0,
      "expected 0 for its third number: an arworld cannot roll",
    ),
    ["camera", "rotation_degrees"],
  ),
);

/** The body of a transition request, from which the API description is made. */
export const transitionBodySchema: v.GenericSchema = transitionFields;

/** A transition request whose values have been checked; what was left out and depends on more is undefined. */
export interface TransitionRequest {
  readonly prompt: string;
  readonly camera: CameraRecord;
  readonly sourceImage: string | undefined;
  readonly output: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly numFrames: number | undefined;
  readonly seed: bigint;
  readonly fps: number | undefined;
}

/**
 * Checks the body of a transition request. The diffusion settings are checked and not kept: few-step weights bring
 * their own schedule.
 *
 * @throws {WorldError} `invalid_request_error` with the field in `param`.
 *
 * @example
 * ```ts
 * import { readTransitionRequest } from "@svc/sdk/world";
 * const camera = { motion: "yawLeft", translationMeters: [0, 0, 0], rotationDegrees: [0, -15, 0] };
 * const request = readTransitionRequest({ prompt: "a corridor", camera, numFrames: 9 });
 * console.assert(request.camera.rotation_degrees[1] === -15 && request.seed === 42n);
 * ```
 */
export function readTransitionRequest(body: unknown): TransitionRequest {
  const fields = readRequestFields("start a transition", body, transitionFields, transitionSchema);
  if (fields.model_space_actions !== undefined) {
    const message = 'Cannot start a transition: "model_space_actions" is for actionworld only, expected a camera move';
    throw invalidRequest("unsupported_for_backend", message, "model_space_actions");
  }
  return {
    prompt: fields.prompt,
    camera: fields.camera as unknown as CameraRecord, // a vector of length 3 is a triple
    sourceImage: fields.source_image,
    output: fields.output,
    width: fields.width,
    height: fields.height,
    numFrames: fields.num_frames,
    seed: BigInt(fields.seed),
    fps: fields.fps,
  };
}

/** Frames that a transition shows at least, when the request leaves it open. */
export function framesOf({ numFrames }: TransitionRequest): number {
  return numFrames ?? DEFAULT_FRAMES;
}
