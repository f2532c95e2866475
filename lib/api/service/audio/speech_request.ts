/**
 * The body of a speech request.
 *
 * @module
 */
import * as v from "valibot";
import { SPEECH_FORMATS, type SpeechFormat, type SpeechOrder } from "../../../engines/speech/speech_operations.ts";
import { MAX_SPEECH_BYTES, SPEED } from "../../../engines/contract/speech_model.ts";
import type { FieldRefusal } from "../../../errors/field_refusal.ts";
import { invalidField } from "../../../errors/svc_error.ts";
import { isPathText, MAX_PATH_BYTES } from "../../../json/path_text.ts";
import { bodyRules, readFields } from "../../../errors/read_fields.ts";
import { utf8Bytes } from "../text/text_requests.ts";

/** A validated speech request. */
export interface SpokenRequest {
  /** Id, alias or path of a model, or a name of another interface; undefined for the default. */
  readonly model: string | undefined;
  readonly order: SpeechOrder;
  /** Whether the sound comes in events. */
  readonly events: boolean;
  readonly warnings: readonly string[];
}

const ACTION = "speak the input";

/** Most characters of a voice: a name, or a description. */
const MAX_VOICE = 4096;

const modelExpected = `expected the id of a model, of at most ${MAX_PATH_BYTES} bytes`;
const voiceExpected = `expected the name or description of a voice, of at most ${MAX_VOICE} characters`;
const speedExpected = `expected a number from ${SPEED.min} to ${SPEED.max}`;
const temperatureExpected = "expected a number from 0 to 2";

const entries = {
  model: v.nullish(
    v.pipe(v.string(modelExpected), v.check((name) => name.trim() === "" || isPathText(name), modelExpected)),
  ),
  input: v.pipe(v.string("expected a string"), v.check((text) => text.trim() !== "", "expected some text")),
  voice: v.nullish(v.pipe(v.string(voiceExpected), v.maxLength(MAX_VOICE, voiceExpected))),
  instructions: v.nullish(v.string("expected a string")),
  response_format: v.nullish(
    v.picklist(SPEECH_FORMATS, `expected one of ${SPEECH_FORMATS.join(", ")}`),
    "wav" satisfies SpeechFormat,
  ),
  speed: v.nullish(
    v.pipe(v.number(speedExpected), v.minValue(SPEED.min, speedExpected), v.maxValue(SPEED.max, speedExpected)),
    1,
  ),
  temperature: v.nullish(
    v.pipe(v.number(temperatureExpected), v.minValue(0, temperatureExpected), v.maxValue(2, temperatureExpected)),
  ),
  stream_format: v.nullish(v.picklist(["sse", "audio"], "expected sse or audio"), "audio"),
  user: v.nullish(v.string("expected a string")),
};

/** Fields of other servers that would change the sound. */
const refusals: readonly FieldRefusal[] = [
  {
    field: /^(lang|lang_code|language)$/,
    neutral: ["en", "en-us", "en-gb", "a", "b"],
    remedy: "the voices read English",
  },
  { field: /^(ref_audio|reference_audio|voice_clone|speaker_wav)$/, remedy: "voices cannot be copied" },
  { field: "stream", neutral: [true, false], remedy: 'expected stream_format "sse" for events' },
];

const rules = bodyRules(ACTION, entries, refusals);

/**
 * Validates the parsed JSON body of a speech request.
 *
 * @throws {SvcError} 400 with the field in `param`.
 */
export function readSpeechRequest(body: unknown): SpokenRequest {
  const { fields, warnings } = readFields(body, rules);
  const { model, input, voice, instructions, response_format: format, speed, temperature, stream_format } = fields;
  const bytes = utf8Bytes(input) + utf8Bytes(instructions ?? "");
  if (bytes > MAX_SPEECH_BYTES) {
    const message = `Cannot ${ACTION}: it has ${bytes} bytes of UTF-8 with its instructions, ` +
      `expected at most ${MAX_SPEECH_BYTES}; send it in parts`;
    throw invalidField("input", message);
  }
  const hot = temperature !== undefined && temperature !== null;
  return {
    model: model ?? undefined,
    order: { text: input, voice: voice ?? undefined, instructions: instructions ?? undefined, speed, format },
    events: stream_format === "sse",
    warnings: hot ? [...warnings, "temperature has no effect: the same text sounds the same"] : warnings,
  };
}
