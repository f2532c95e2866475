/**
 * The transition request of an actionworld.
 *
 * @module
 */
import * as v from "valibot";
import { invalidField } from "../../../errors/svc_error.ts";
import { integerField, type MoveDefaults } from "./move_fields.ts";
import { readRequestFields } from "./request_fields.ts";
import {
  MAX_TRANSITION_FRAMES,
  transitionFields,
  type TransitionRequest,
  transitionRequest,
} from "./transition_request.ts";

/** Defaults of an actionworld transition, unless the request or the model's configuration overrides them. */
export const CLIP_DEFAULTS: MoveDefaults = { kind: "transition", width: 320, height: 176, fps: 30 };

/** Denoising steps, unless the request or the model's configuration overrides them. */
export const CLIP_STEPS = 30;

/** Frame sizes in pixels: the same bounds for width and height. */
export const CLIP_BOUNDS = { unit: 16, width: 1280, height: 1280 } as const;

/** Most characters of a prompt: the model reads all of it, and compares each part with every other. */
const MAX_PROMPT = 4096;

const frames = `expected 4n + 1 from 5 to ${MAX_TRANSITION_FRAMES}`;
const bounds = { ...CLIP_BOUNDS, freeCamera: true, guidanceScale: 1, shift: 3, seed: 0 };
const fields = transitionFields({
  ...bounds,
  frames: v.pipe(
    v.number(frames),
    v.check((n) => n >= 5 && n % 4 === 1 && n <= MAX_TRANSITION_FRAMES, frames),
  ),
});

/** The body of a transition request with the bounds of every kind of world model, for the API description. */
export const transitionBodySchema: v.GenericSchema = transitionFields({
  ...bounds,
  frames: integerField(1, MAX_TRANSITION_FRAMES),
});

/**
 * Checks the body of a transition request of an actionworld.
 *
 * @throws {SvcError} `invalid_request_error` with the field in `param`.
 *
 * @example
 * ```ts
 * import { readClipRequest } from "./clip_request.ts";
 * const camera = { motion: "custom", translationMeters: [0, 1, 0], rotationDegrees: [0, 0, 5] };
 * const request = readClipRequest({ prompt: "a hall", camera });
 * console.assert(request.frames === 17 && request.seed === 0n && request.shift === 3);
 * ```
 */
export function readClipRequest(body: unknown): TransitionRequest {
  const request = transitionRequest(readRequestFields("start a transition", body, fields, fields));
  const length = writtenLength(request.prompt);
  if (length <= MAX_PROMPT) return request;
  const message = `Cannot start a transition: "prompt" has ${length} characters, expected at most ${MAX_PROMPT}` +
    (length > request.prompt.length ? "; those outside ASCII count as 6" : "");
  throw invalidField("prompt", message);
}

/** The characters of a prompt as the model reads it, where others than those of ASCII are written as `\\u0000`. */
function writtenLength(prompt: string): number {
  let length = prompt.length;
  for (let i = 0; i < prompt.length; i++) if (prompt.charCodeAt(i) > 0x7e) length += 5;
  return length;
}
