/**
 * The form of a transcription request.
 *
 * @module
 */
import * as v from "valibot";
import type { FieldRefusal } from "../../../errors/field_refusal.ts";
import { invalidField } from "../../../errors/svc_error.ts";
import { isPathText, MAX_PATH_BYTES } from "../../../json/path_text.ts";
import { show } from "../../../errors/show.ts";
import { languageCode } from "../../../protocol/transcription/languages.ts";
import type { TranscriptionTask } from "../../../protocol/transcription/transcript.ts";
import {
  TIMESTAMP_GRANULARITIES,
  type TimestampGranularity,
  TRANSCRIPTION_FORMATS,
  type TranscriptionFormat,
} from "../../../protocol/transcription/transcription_format.ts";
import { readFields } from "../../../errors/read_fields.ts";
import { formFields } from "../form_fields.ts";

/** A validated request, whose model is not known yet. */
export interface TranscriptionFields {
  /** Id, alias, path, or a name of another interface; undefined for the default. */
  readonly model: string | undefined;
  /** Code of the language; undefined for the model to find it. */
  readonly language: string | undefined;
  readonly prompt: string | undefined;
  readonly task: TranscriptionTask;
  readonly format: TranscriptionFormat;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly stream: boolean;
  readonly granularities: readonly TimestampGranularity[];
}

const ACTION = "transcribe the sound";

/** Characters of a prompt: models read the last 224 tokens of it. */
const MAX_PROMPT = 16_384;

const GRANULARITIES = "timestamp_granularities[]";

/** One of some words. Every value of a form is text, so that another one is a wrong value and not a wrong type. */
const oneOf = <const T extends readonly string[]>(words: T) =>
  v.pipe(
    v.string(),
    v.check((word) => words.includes(word), `expected one of ${words.join(", ")}`),
    v.transform((word) => word as T[number]),
  );

const granularities = v.optional(v.array(oneOf(TIMESTAMP_GRANULARITIES)));
const modelExpected = `expected the id of a model, of at most ${MAX_PATH_BYTES} bytes`;
const temperatureExpected = "expected a number from 0 to 1";
const tokensExpected = "expected an integer from 1 to 4096";

const entries = {
  model: v.optional(v.pipe(v.string(), v.check((name) => name === "" || isPathText(name), modelExpected))),
  language: v.optional(v.string()),
  prompt: v.optional(v.pipe(v.string(), v.maxLength(MAX_PROMPT, `expected at most ${MAX_PROMPT} characters`))),
  task: v.optional(oneOf(["transcribe", "translate"])),
  response_format: v.optional(oneOf(TRANSCRIPTION_FORMATS)),
  temperature: v.optional(
    v.pipe(v.number(temperatureExpected), v.minValue(0, temperatureExpected), v.maxValue(1, temperatureExpected)),
  ),
  max_tokens: v.optional(
    v.pipe(
      v.number(tokensExpected),
      v.integer(tokensExpected),
      v.minValue(1, tokensExpected),
      v.maxValue(4096, tokensExpected),
    ),
  ),
  stream: v.optional(v.boolean("expected true or false")),
  timestamp_granularities: granularities,
  [GRANULARITIES]: granularities,
} as const;

const rules = {
  action: ACTION,
  fields: v.object(entries),
  refusals: [
    { field: /^include(\[\])?$/, remedy: "expected no such field: probabilities are in the segments of verbose_json" },
    {
      field: "chunking_strategy",
      neutral: ["auto", ""],
      remedy: 'expected "auto": recordings are always cut at their silences',
    },
    { field: /^chunking_strategy\[/, remedy: "expected no such field: recordings are always cut at their silences" },
    { field: /^known_speaker_/, remedy: "expected no such field: this server does not distinguish speakers" },
  ] satisfies readonly FieldRefusal[],
};

/** The names of all fields of text, and how often each may come. */
export const TRANSCRIPTION_TEXTS: Readonly<Record<string, { readonly max?: number }>> = {
  ...Object.fromEntries(Object.keys(entries).map((name) => [name, name.startsWith("timestamp") ? { max: 2 } : {}])),
  ...Object.fromEntries(["include", "include[]", "known_speaker_names[]"].map((name) => [name, { max: 16 }])),
  ...Object.fromEntries(
    ["", "[type]", "[prefix_padding_ms]", "[silence_duration_ms]", "[threshold]"]
      .map((part) => [`chunking_strategy${part}`, {}]),
  ),
};

/**
 * Validates the texts of a form.
 *
 * @throws {SvcError} 400 with the field in `param`.
 */
export function readTranscriptionFields(texts: ReadonlyMap<string, readonly string[]>): TranscriptionFields {
  const kinds = {
    temperature: "number",
    max_tokens: "number",
    stream: "boolean",
    timestamp_granularities: "texts",
    [GRANULARITIES]: "texts",
  } as const;
  const { fields } = readFields(formFields(texts, kinds), rules);
  const format = fields.response_format ?? "json";
  const listed = [...fields[GRANULARITIES] ?? [], ...fields.timestamp_granularities ?? []];
  if (listed.length > 0 && format !== "verbose_json") {
    const message =
      `Cannot ${ACTION}: "${GRANULARITIES}" goes with the response format verbose_json, not with ${format}`;
    throw invalidField(GRANULARITIES, message);
  }
  const { stream = false } = fields;
  if (stream && format !== "json" && format !== "text") {
    throw invalidField("stream", `Cannot ${ACTION}: a stream holds text, expected the response format json or text`);
  }
  return {
    model: fields.model,
    language: readLanguage(fields.language),
    prompt: fields.prompt?.trim() || undefined,
    task: fields.task ?? "transcribe",
    format,
    temperature: fields.temperature ?? 0,
    maxTokens: fields.max_tokens ?? 448,
    stream,
    granularities: listed.length > 0 ? [...new Set(listed)] : ["segment"],
  };
}

function readLanguage(written = ""): string | undefined {
  if (["", "auto"].includes(written.trim().toLowerCase())) return undefined;
  const code = languageCode(written);
  if (code !== undefined) return code;
  const message = `Cannot ${ACTION}: "language" is ${show(written)}, expected a code such as "en" or a name in English`;
  throw invalidField("language", message);
}
