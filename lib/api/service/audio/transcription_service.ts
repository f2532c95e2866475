/**
 * Transcriptions.
 *
 * @module
 */
import type { TranscriptionModelProfile } from "../../../engines/contract/transcription_model.ts";
import { transcribe } from "../../../engines/transcription/transcription_operations.ts";
import { modelKinds } from "../../../engines/table/model_kinds.ts";
import { invalidField, invalidRequest, unsupportedParameter } from "../../../errors/svc_error.ts";
import { show } from "../../../errors/show.ts";
import { type Transcript, type TranscriptSegment, transcriptText } from "../../../protocol/transcription/transcript.ts";
import {
  formatTranscript,
  type TranscriptionBody,
  verboseJson,
} from "../../../protocol/transcription/transcription_format.ts";
import type { ApiRuntime } from "../api_runtime.ts";
import type { FoundModel, ModelDirectory } from "../model_directory.ts";
import { recordRun, type RunPlan, type RunRecorder } from "../run_recorder.ts";
import { readTranscriptionFields, type TranscriptionFields } from "./transcription_request.ts";
import { testWarnings } from "../../../store/catalog/test_model.ts";

/** What transcriptions depend on. */
export interface TranscriptionOptions {
  readonly directory: ModelDirectory;
  readonly runtime: ApiRuntime;
  /** Refuses a file that is not a sound file, before a model is loaded for it. */
  readonly checkSound: ((path: string) => Promise<void>) | undefined;
  readonly recorder: RunRecorder | undefined;
}

/** An uploaded recording and the fields beside it. */
export interface TranscriptionForm {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** Undefined when the form has none. */
  readonly file: { readonly path: string; readonly filename: string | undefined } | undefined;
}

/** A request that has passed all validation that needs no model. */
export interface PreparedTranscription {
  readonly warnings: readonly string[];
  /** Whether the text is to be sent as it comes. */
  readonly stream: boolean;
  /**
   * Waits for a slot and for the model, and transcribes.
   *
   * @param onSegment Called with each segment as soon as it is certain.
   * @throws {SvcError} for every reason of the pool, and for sound that cannot be decoded.
   * @throws the reason of `signal` when it aborts.
   */
  run(signal: AbortSignal, onSegment?: (segment: TranscriptSegment) => void): Promise<Transcript>;
  /** A transcript in the format that was asked for. */
  format(transcript: Transcript): TranscriptionBody;
}

/** Checks a transcription request. Throws {@linkcode SvcError}. */
export async function prepareTranscription(
  { texts, file }: TranscriptionForm,
  options: TranscriptionOptions,
): Promise<PreparedTranscription> {
  if (file === undefined) {
    readTranscriptionFields(texts);
    throw invalidRequest("missing_field", `Cannot ${ACTION}: "file" is missing, expected a sound file`, "file");
  }
  const { fields, model, profile } = await checkTranscription(texts, options.directory);
  await options.checkSound?.(file.path);
  const { task, language, prompt, temperature, maxTokens, format, granularities } = fields;
  const words = granularities.includes("word");
  const input = {
    path: file.path,
    task,
    words,
    maxTokens,
    ...language !== undefined && { language },
    ...prompt !== undefined && { prompt },
    ...temperature > 0 && { temperature },
  };
  const plan = (): RunPlan => ({
    requested: Object.fromEntries([...texts].map(([name, values]) => [name, values.length > 1 ? values : values[0]])),
    effective: {
      model: model.id,
      engine: profile.engine,
      ...{ task, language, prompt, temperature, max_tokens: maxTokens, format, granularities, stream: fields.stream },
    },
    inputs: [{ name: "audio", ...file }],
  });
  return {
    warnings: [...warningsOf(fields, profile, model.id), ...testWarnings(model)],
    stream: fields.stream,
    format: (transcript) => formatTranscript(transcript, format, granularities),
    run: (signal, onSegment) =>
      recordRun(options.recorder, plan, signal, async () => {
        const result = await options.runtime.perform(
          { model, operation: transcribe, input, onEvent: onSegment },
          signal,
        );
        return { result, outputs: () => outputsOf(result) };
      }),
  };
}

/** Checks the fields beside a recording, and the abilities of their model. Throws {@linkcode SvcError}. */
export async function checkTranscription(
  texts: TranscriptionForm["texts"],
  directory: ModelDirectory,
): Promise<{ readonly fields: TranscriptionFields } & FoundModel<"transcription">> {
  const fields = readTranscriptionFields(texts);
  const found = await findModel(fields, directory);
  checkAbilities(fields, found.profile, found.model.id);
  return { fields, ...found };
}

const ACTION = "transcribe the sound";

/** The named model, else the default one; for a translation the default is a model that can do it. */
async function findModel(
  { model: name = "", task }: TranscriptionFields,
  directory: ModelDirectory,
): Promise<FoundModel<"transcription">> {
  const isChosen = name.trim() !== "" && !modelKinds.transcription.thirdParty.includes(name.trim().toLowerCase());
  const found = await directory.findFor(name, "transcription", ACTION);
  if (isChosen || task === "transcribe" || found.profile.translates) return found;
  const { models } = await directory.look();
  const able = models.find(({ profile }) => profile?.kind === "transcription" && profile.translates);
  return able === undefined ? found : await directory.find(able.id, "transcription", ACTION);
}

/** Refuses by name what the model cannot do. */
function checkAbilities(fields: TranscriptionFields, profile: TranscriptionModelProfile, id: string): void {
  const { task, language, prompt, temperature, granularities } = fields;
  const refuse = (param: string, problem: string, expected: string): void => {
    throw unsupportedParameter(
      `Cannot ${ACTION}: ${show(param)} is not for the model ${show(id)}, ${problem}, ${expected}`,
      param,
    );
  };
  if (task === "translate" && !profile.translates) {
    refuse("task", "which keeps the language", "expected transcribe, or a Whisper model of many languages");
  }
  if (prompt !== undefined && !profile.prompts) refuse("prompt", "which takes none", "leave it out");
  if (temperature > 0 && !profile.prompts) refuse("temperature", "which draws nothing by chance", "expected 0");
  if (granularities.includes("word") && !profile.words) {
    refuse("timestamp_granularities[]", "which gives no times of words", "expected segment");
  }
  if (language !== undefined && profile.languages.length > 0 && !profile.languages.includes(language)) {
    const known = profile.languages.length > 30 ? "another language" : profile.languages.join(", ");
    const message = `Cannot ${ACTION}: "language" is ${show(language)}, which the model ${show(id)} does not support`;
    throw invalidField("language", `${message}, expected ${known}`);
  }
}

function warningsOf({ language }: TranscriptionFields, { engine, languages }: TranscriptionModelProfile, id: string) {
  if (language === undefined || engine !== "onnx-parakeet" || languages.length < 2) return [];
  return [`Ignored the field "language": the model ${id.replace(/[^\x20-\x7e]/g, "?")} finds the language by itself`];
}

/** What a record keeps: the structured result and the plain text. */
function outputsOf(transcript: Transcript) {
  const encoder = new TextEncoder();
  const result = verboseJson(transcript, transcript.words ? ["segment", "word"] : ["segment"]);
  return [
    { name: "result.json", content: encoder.encode(`${JSON.stringify(result, undefined, 2)}\n`) },
    { name: "transcript.txt", content: encoder.encode(`${transcriptText(transcript.segments)}\n`) },
  ];
}
