/**
 * The transcription route of a model API server.
 *
 * @module
 */
import {
  TIMESTAMP_GRANULARITIES,
  TRANSCRIPTION_FORMATS,
} from "../../lib/protocol/transcription/transcription_format.ts";
import type { JsonObject } from "./both_spellings.ts";
import { amount, count, described, flag, integer, list, number, record, ref, text, words } from "./json_schema.ts";
import type { Operation } from "./operation.ts";

const rate = ["X-RateLimit-Limit-Requests", "X-RateLimit-Remaining-Requests", "X-RateLimit-Reset-Requests"];
const usage = record({ type: { const: "duration" }, seconds: count });
const granularities = list(words(...TIMESTAMP_GRANULARITIES), { maxItems: 2 });

const translation = {
  file: described({ type: "string", format: "binary" }, "A sound file of any format"),
  "model?": described(text, "Id, alias or path; the default when omitted, and for names of OpenAI's models"),
  "language?": described(text, "A code such as en or a name in English; found by the model when omitted"),
  "prompt?": described({ type: "string", maxLength: 16_384 }, "Text that comes before the recording"),
  "response_format?": words(...TRANSCRIPTION_FORMATS),
  "temperature?": number(0, 1, "0 for the best token, with retries where it is not reliable"),
  "max_tokens?": integer(1, 4096, "Of a window of 30 s; 448 when omitted"),
  "stream?": flag,
  "timestamp_granularities[]?": described(granularities, "What verbose_json lists; segments when omitted"),
  "timestamp_granularities?": granularities,
  "chunking_strategy?": { const: "auto" },
};

/** Schemas of the forms and of what they are answered with. */
export const transcriptionSchemas: Record<string, JsonObject> = {
  TranslationForm: record(translation),
  TranscriptionForm: record({ ...translation, "task?": words("transcribe", "translate") }),
  Transcription: record({ text, "language?": text }),
  VerboseTranscription: record({
    task: words("transcribe", "translate"),
    language: described(text, "Its English name in lower case, or unknown"),
    duration: amount,
    text,
    "segments?": list(ref("TranscriptionSegment")),
    "words?": list(record({ word: text, start: amount, end: amount })),
    usage,
  }),
  TranscriptionSegment: record({
    id: count,
    seek: described(count, "Start of its window, in hundredths of a second"),
    start: amount,
    end: amount,
    text,
    tokens: list(count),
    temperature: amount,
    avg_logprob: { type: "number" },
    compression_ratio: amount,
    no_speech_prob: number(0, 1),
  }),
  TranscriptDelta: record({ type: { const: "transcript.text.delta" }, delta: text }),
  TranscriptDone: record({ type: { const: "transcript.text.done" }, text, usage }),
};

/** `POST /v1/audio/transcriptions`. */
const transcriptionOperation: Operation = {
  method: "post",
  path: "/v1/audio/transcriptions",
  id: "transcriptions",
  tag: "inference",
  summary: "Writes down what is said in a recording",
  description:
    "With stream the answer is server-sent events: transcript.text.delta for each segment, then transcript.text.done; " +
    "an error after the start is one data line with an Error. What the model cannot honour is refused by name. Unknown " +
    "and repeated parts are refused.",
  body: { content: { form: "TranscriptionForm" }, required: true },
  answers: {
    200: {
      description: "The text, as response_format asks",
      content: [
        { anyOf: ["Transcription", "VerboseTranscription"] },
        { type: "text/plain" },
        {
          type: "application/x-subrip",
        },
        { type: "text/vtt" },
        { type: "text/event-stream" },
      ],
      headers: rate,
    },
  },
  errors: {
    400: [
      "wrong_model_task",
      "unsupported_model",
      "unsupported_parameter",
      "unsuitable_files",
      "invalid_id",
      "audio_damaged",
      "audio_decoder_missing",
      "audio_too_long",
      "audio_unsupported",
    ],
    403: ["path_not_allowed"],
    404: ["model_not_found"],
    409: ["load_cancelled"],
    429: ["rate_limit_exceeded", "queue_full"],
    499: ["client_disconnected"],
    500: ["engine_crashed", "broken_settings", "broken_record", "write_failed"],
    503: ["model_unavailable", "memory_pressure", "server_stopping"],
  },
};

/** The operations of recordings. */
export const transcriptionOperations: readonly Operation[] = [transcriptionOperation, {
  ...transcriptionOperation,
  path: "/v1/audio/translations",
  id: "translations",
  summary: "Writes down in English what is said in a recording",
  description: "The transcription with task translate, by a model that can.",
  body: { content: { form: "TranslationForm" }, required: true },
}];
