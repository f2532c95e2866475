/**
 * The transition request of an arworld.
 *
 * @module
 */
import { integerField, MAX_GEOMETRY } from "./move_fields.ts";
import type { MoveDefaults } from "./move_request.ts";
import { readRequestFields } from "./request_fields.ts";
import {
  MAX_TRANSITION_FRAMES,
  transitionFields,
  type TransitionRequest,
  transitionRequest,
} from "./transition_fields.ts";
import { invalidRequest } from "../../../errors/svc_error.ts";

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
 * console.assert(request.camera.rotation_degrees[1] === -15 && request.seed === 42n);
 * ```
 */
export function readTransitionRequest(body: unknown): TransitionRequest {
  const read = transitionRequest(readRequestFields("start a transition", body, fields, fields));
  if (read.modelSpaceActions === undefined) return read;
  const message = 'Cannot start a transition: "model_space_actions" is for an actionworld only, expected a camera move';
  throw invalidRequest("unsupported_for_backend", message, "model_space_actions");
}
