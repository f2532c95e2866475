/**
 * The prompt message of the model.
 *
 * @module
 */
import { roundHalfToEven } from "../../images/round_half_to_even.ts";

/** The conditions of a clip that its message includes. */
export interface ClipDescription {
  /** The user's prompt. */
  readonly prompt: string;
  /** Frames of pixels. */
  readonly frames: number;
  /** Frames of pixels per second. */
  readonly fps: number;
  /** Pixels a row. */
  readonly width: number;
  /** Rows of pixels. */
  readonly height: number;
}

const FRAMING = "This video is captured from a first-person perspective looking at the scene.";

const ASPECTS: readonly (readonly [name: string, ratio: number])[] = [
  ["1,1", 1],
  ["4,3", 4 / 3],
  ["3,4", 3 / 4],
  ["16,9", 16 / 9],
  ["9,16", 9 / 16],
];

/**
 * The prompt as the JSON that the model was trained on, written as Python does: a blank after every comma and colon,
 * ASCII only.
 *
 * @example
 * ```ts
 * import { actionMessage } from "./prompt_message.ts";
 * const message = actionMessage({ prompt: "a hall", frames: 17, fps: 30, width: 320, height: 176 });
 * console.assert(JSON.parse(message).actions[0].description === "a hall.");
 * ```
 */
export function actionMessage({ prompt, frames, fps, width, height }: ClipDescription): string {
  const seconds = frames / fps;
  const end = roundHalfToEven(seconds);
  const time = `0:00-${Math.floor(end / 60)}:${String(end % 60).padStart(2, "0")}`;
  const fields = [
    `"cinematography": {"framing": ${quote(FRAMING)}}`,
    `"actions": [{"time": ${quote(time)}, "description": ${quote(sentence(prompt))}}]`,
    `"duration": ${quote(`${Math.trunc(seconds)}s`)}`,
    `"fps": ${Number.isInteger(fps) ? fps.toFixed(1) : fps}`,
    `"resolution": {"H": ${height}, "W": ${width}}`,
    `"aspect_ratio": ${quote(nearestAspect(width / height))}`,
  ];
  return `{${fields.join(", ")}}`;
}

/**
 * A user message and the beginning of an answer, for snapshots without a chat template: an empty system message, and an
 * answer that starts with reasoning.
 */
export function chatText(message: string): string {
  return `<|im_start|>system\n<|im_end|>\n<|im_start|>user\n${message}<|im_end|>\n<|im_start|>assistant\n<think>\n`;
}

function sentence(prompt: string): string {
  const text = prompt.trim();
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}

function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function nearestAspect(ratio: number): string {
  const distance = ([, r]: readonly [string, number]) => Math.abs(r - ratio);
  return ASPECTS.reduce((best, aspect) => (distance(aspect) < distance(best) ? aspect : best))[0];
}
