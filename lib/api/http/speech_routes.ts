import type { ModelApi } from "../service/mod.ts";
import type { Clock } from "../../scheduling/mod.ts";
import type { RateLimit } from "../../http/rate_limit.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";
import { inferenceRoute, warn } from "./inference_route.ts";
import { streamSpeech } from "./speech_stream.ts";
import type { OpenSpool } from "./spool.ts";

/** Options of {@linkcode speechRoutes}. */
export interface SpeechRoutesOptions {
  readonly limit: RateLimit | undefined;
  readonly clock: Clock;
  readonly openSpool: OpenSpool;
  /** Makes the error object of a failure after the start of an answer, and logs unexpected ones. */
  readonly onError: (error: unknown, call: RouteCall, gone: boolean) => ErrorObject;
}

/** The route of speech. */
export function speechRoutes(api: ModelApi, { limit, clock, openSpool, onError }: SpeechRoutesOptions): Route[] {
  return [inferenceRoute("/v1/audio/speech", limit, async (body, call) => {
    const speech = await api.speech(body);
    warn(call.headers, speech.warnings);
    return await streamSpeech(speech, {
      clock,
      openSpool,
      signal: call.request.signal,
      onWarnings: (warnings) => warn(call.headers, warnings),
      onError: (error, gone) => onError(error, call, gone),
    });
  })];
}
