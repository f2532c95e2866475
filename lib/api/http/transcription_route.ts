/**
 * The routes of transcriptions and translations.
 *
 * @module
 */
import { TranscriptEvents, transcriptFrame } from "../../protocol/transcription/transcription_format.ts";
import type { Clock } from "../../scheduling/mod.ts";
import type { ModelApi, PreparedTranscription } from "../service/mod.ts";
import { TRANSCRIPTION_TEXTS } from "../service/audio/transcription_request.ts";
import type { FormRules } from "../../http/multipart/form_rules.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";
import { FrameStream } from "./frame_stream.ts";
import { warn } from "./inference_route.ts";
import { type UploadCall, type UploadOptions, uploadRoute } from "./upload_route.ts";

/** Options of {@linkcode transcriptionRoutes}. */
export interface TranscriptionRouteOptions {
  readonly uploads: UploadOptions;
  readonly clock: Clock;
  /** Makes the error object of a failure after the start of a stream, and logs unexpected ones. */
  readonly onError: (error: unknown, call: RouteCall, gone: boolean) => ErrorObject;
}

/** What the form of a transcription may hold. */
export const transcriptionRules: FormRules = {
  action: "transcribe the sound",
  maxBytes: 100 * 2 ** 20,
  texts: TRANSCRIPTION_TEXTS,
  // What it is shows in its bytes: clients guess the type by the name of the file.
  files: { file: { types: ["*"] } },
};

/** The rules of translations: a form without `task`, which the path says. */
const translationRules: FormRules = {
  ...transcriptionRules,
  texts: Object.fromEntries(Object.entries(TRANSCRIPTION_TEXTS).filter(([name]) => name !== "task")),
};

/** `POST /v1/audio/transcriptions`, and `POST /v1/audio/translations`: the same with `task` translate. */
export function transcriptionRoutes(api: ModelApi, options: TranscriptionRouteOptions): Route[] {
  return [
    transcriptionRoute("/v1/audio/transcriptions", transcriptionRules, {}, api, options),
    transcriptionRoute("/v1/audio/translations", translationRules, { task: ["translate"] }, api, options),
  ];
}

function transcriptionRoute(
  path: string,
  rules: FormRules,
  fixed: Readonly<Record<string, readonly string[]>>,
  api: ModelApi,
  options: TranscriptionRouteOptions,
): Route {
  return uploadRoute(path, rules, options.uploads, async (call) => {
    const { form: { texts, files: [file] }, headers, request } = call;
    const prepared = await api.transcription({ texts: new Map([...texts, ...Object.entries(fixed)]), file });
    warn(headers, prepared.warnings);
    if (prepared.stream) return await streamed(prepared, call, options);
    const { contentType, body } = prepared.format(await prepared.run(request.signal));
    return new Response(body, { headers: { "content-type": contentType } });
  });
}

/** Answers with events: the status waits for the first one, so that an early failure has its own. */
async function streamed(
  prepared: PreparedTranscription,
  call: UploadCall,
  { clock, onError }: TranscriptionRouteOptions,
): Promise<Response> {
  const { signal } = call.request;
  const stream = new FrameStream({ clock, signal, onError: (error, gone) => onError(error, call, gone) });
  const events = new TranscriptEvents();
  const work = prepared.run(stream.signal, (segment) => {
    const event = events.segment(segment);
    if (event === undefined) return;
    stream.say(transcriptFrame(event));
    stream.open();
  });
  call.keepUntil(work);
  work.then((transcript) => {
    stream.say(transcriptFrame(events.done(transcript)));
    stream.end();
  }, (error) => stream.fail(error));
  await Promise.race([work, stream.opened]);
  return new Response(stream.body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no", // proxies that buffer answers would delay the text
    },
  });
}
