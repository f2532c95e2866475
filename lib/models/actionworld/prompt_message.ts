/**
 * The prompt as the model takes it: a message, rendered as chat text, in token ids.
 *
 * @module
 */
import { Template } from "@huggingface/jinja";
import type { Tokenizer } from "@huggingface/tokenizers";
import { roundHalfToEven } from "../images/round_half_to_even.ts";
import { parseTokenizer, TokenizerError } from "../tokenizer/tokenizer_json.ts";

/** The conditions of a clip that its message includes. */
interface ClipDescription {
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

/** Renders a chat with one user message and the beginning of an answer. */
type ChatRenderer = (message: string) => string;

/**
 * Renders chats with a snapshot's own template; without one as {@linkcode chatText} does.
 *
 * @param name Name of the template for error messages.
 * @param template A Jinja template as Hugging Face's libraries take it.
 * @throws {TokenizerError} when it cannot be parsed, or does not render a message.
 */
function chatRenderer(name: string, template: string | undefined): ChatRenderer {
  if (template === undefined) return chatText;
  try {
    const parsed = new Template(template);
    const render = (content: string) =>
      parsed.render({ messages: [{ role: "user", content }], add_generation_prompt: true });
    if (!render("message").includes("message")) throw new Error("its output lacks the message");
    return render;
  } catch (cause) {
    throw new TokenizerError(`Cannot use ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

const END_OF_TEXT = "<|im_end|>";
const START_OF_VISION = "<|vision_start|>";

/** A loaded `tokenizer.json`. */
export interface MessageTokenizer {
  /** The ids of a chat with only this message, followed by the end of text and the start of vision. */
  encode(message: string): Int32Array;
}

/**
 * Makes a tokenizer from the contents of a `tokenizer.json` with a byte-level BPE model (Sennrich et al. 2016; Radford
 * et al. 2019).
 *
 * @param name Name of the file for error sentences.
 * @param json The parsed file.
 * @param template The snapshot's chat template, where it has one.
 * @throws {TokenizerError} when it is not such a tokenizer or lacks a token that the model needs.
 */
export function openMessageTokenizer(name: string, json: unknown, template?: string): MessageTokenizer {
  const type = (json as { model?: { type?: unknown } } | null)?.model?.type;
  if (type !== "BPE") {
    throw new TokenizerError(`Cannot use ${name}: its model is ${JSON.stringify(type)}, expected "BPE"`);
  }
  const tokenizer = parseTokenizer(name, json as object, { eos_token: END_OF_TEXT });
  const chat = chatRenderer("chat_template.jinja", template);
  const last = [END_OF_TEXT, START_OF_VISION].map((token) => idOf(name, tokenizer, token));
  return {
    encode(message) {
      const { ids } = tokenizer.encode(chat(message), { add_special_tokens: false });
      return Int32Array.of(...ids, ...last);
    },
  };
}

function idOf(name: string, tokenizer: Tokenizer, token: string): number {
  const id = tokenizer.token_to_id(token);
  if (id === undefined) throw new TokenizerError(`Cannot use ${name}: it has no token "${token}"`);
  return id;
}
