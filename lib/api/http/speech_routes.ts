import type { ModelApi, PreparedSpeech } from "../service/mod.ts";
import type { Clock } from "../../scheduling/mod.ts";
import type { RateLimit } from "../../http/rate_limit.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";
import { inferenceRoute, warn } from "./inference_route.ts";
import type { OpenSpool, Spool } from "./upload_route.ts";
import { errorFrame, KEEPALIVE_FRAME } from "../../protocol/mod.ts";
import { speechDelta, speechDone, speechFrame } from "../../protocol/speech_events.ts";

/** Options of {@linkcode speechRoutes}. */
interface SpeechRoutesOptions {
  readonly limit: RateLimit | undefined;
  readonly clock: Clock;
  readonly openSpool: OpenSpool;
  /** Makes the error object of a failure after the start of an answer, and logs unexpected ones. */
  readonly onError: (error: unknown, call: RouteCall, gone: boolean) => ErrorObject;
}

/** The route of speech, and the lists that front ends offer models and voices from. */
export function speechRoutes(api: ModelApi, { limit, clock, openSpool, onError }: SpeechRoutesOptions): Route[] {
  const speak = inferenceRoute("/v1/audio/speech", limit, async (body, call) => {
    const speech = await api.speech(body);
    warn(call.headers, speech.warnings);
    return await streamSpeech(speech, {
      clock,
      openSpool,
      signal: call.request.signal,
      onWarnings: (warnings) => warn(call.headers, warnings),
      onError: (error, gone) => onError(error, call, gone),
    });
  });
  return [
    speak,
    {
      method: "GET",
      path: "/v1/audio/models",
      handle: async () => Response.json({ models: await api.speechModels() }),
    },
    { method: "GET", path: "/v1/audio/voices", handle: async () => Response.json({ voices: await api.voices() }) },
  ];
}

/** Milliseconds of silence after which a comment keeps a stream of events open. */
const KEEPALIVE_INTERVAL = 15_000;

/** Options of {@linkcode streamSpeech}. */
interface SpeechStreamOptions {
  readonly clock: Clock;
  readonly openSpool: OpenSpool;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called with what is ignored or left out, before the answer begins. */
  readonly onWarnings: (warnings: readonly string[]) => void;
  /** Makes the error object of a failure after the start of the answer, and logs unexpected ones. */
  readonly onError: (error: unknown, gone: boolean) => ErrorObject;
}

/**
 * Answers with sound, sentence by sentence, as bytes or as events. The status waits for the first sound, so that an early
 * failure has its own. The client reads at its own pace: the engine is free when the text is spoken. A failure after
 * the start is the last event, or cuts the bytes off.
 *
 * @throws {SvcError} what goes wrong before the first sound.
 */
async function streamSpeech(speech: PreparedSpeech, options: SpeechStreamOptions): Promise<Response> {
  const { clock, openSpool, signal, onWarnings, onError } = options;
  const left = new AbortController();
  const leave = (): void => left.abort(new DOMException("The client has disconnected", "AbortError"));
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave);
  let spool: Promise<Spool> | undefined;
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => begin = resolve);
  const write = async (bytes: Uint8Array): Promise<void> => {
    spool ??= openSpool(leave);
    await (await spool).write(bytes);
    begin();
  };
  const say = (frame: string): Promise<void> => write(new TextEncoder().encode(frame));
  let cancelTimer = (): void => {};
  const keepAlive = (): void => {
    cancelTimer = clock.after(KEEPALIVE_INTERVAL, () => {
      say(KEEPALIVE_FRAME).catch(leave);
      keepAlive();
    });
  };
  if (speech.events) keepAlive();
  const spoken = speech.run({
    onPlan: ({ warnings }) => onWarnings(warnings),
    onAudio: (bytes, fraction) => speech.events ? say(speechFrame(speechDelta(bytes, fraction))) : write(bytes),
  }, left.signal);
  const finished = spoken.then(
    async ({ phonemes, samples, sampleRate }) => {
      if (speech.events) await say(speechFrame(speechDone(phonemes, Math.ceil(80 * samples / sampleRate))));
      (await spool)?.end();
    },
    async (error) => {
      const open = await spool;
      if (open === undefined) throw error;
      const refusal = onError(error, left.signal.aborted);
      if (!speech.events) return open.fail(error);
      await say(errorFrame(refusal));
      open.end();
    },
  ).catch(async (error) => {
    (await spool?.catch(() => undefined))?.fail(error);
    throw error;
  }).finally(() => {
    cancelTimer();
    signal.removeEventListener("abort", leave);
  });
  finished.catch(() => {}); // the await below, and later the reader of the spool, handle a failure
  await Promise.race([begun, finished]);
  const { body } = await spool!;
  return new Response(body, {
    headers: {
      "content-type": speech.events ? "text/event-stream" : speech.type,
      "cache-control": "no-store",
      "x-accel-buffering": "no", // proxies that buffer answers would delay the sound
    },
  });
}
