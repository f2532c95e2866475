/**
 * Speech from a model API server.
 *
 * @module
 */
import { joinBytes } from "../../lib/media/images/bytes.ts";
import { readServerSentEvents } from "../../lib/world/client/read_stream.ts";
import { type ApiClient, ApiError } from "../model_api/api_client.ts";
import { SingleBar } from "cli-progress";

/** Speech that has arrived. */
interface FetchedSpeech {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What the server says about the request. */
  readonly warnings: string | undefined;
}

/** The data of an event. */
interface SpeechData {
  readonly type?: string;
  readonly audio?: string;
  readonly svc_progress?: number;
  readonly error?: { readonly code?: string; readonly message?: string };
}

/**
 * Fetches the sound of a request.
 *
 * @param onProgress Called with the fraction of the text that is spoken.
 * @throws {ApiError} also for an error after the first sound, and for an interrupted answer.
 */
export async function fetchSpeech(
  client: ApiClient,
  request: Readonly<Record<string, unknown>>,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<FetchedSpeech> {
  const response = await client.post("/v1/audio/speech", { ...request, stream_format: "sse" }, signal);
  const parts: Uint8Array[] = [];
  const cut = new ApiError(0, "unreachable", `Cannot read the speech of ${client.url}: it ended before its end`);
  if (!response.body) throw cut;
  for await (const { data } of readServerSentEvents(response.body, signal)) {
    const { type, audio, svc_progress, error } = JSON.parse(data) as SpeechData;
    if (error) throw new ApiError(response.status, error.code ?? "", error.message ?? "");
    if (audio !== undefined) parts.push(Uint8Array.from(atob(audio), (unit) => unit.charCodeAt(0)));
    if (svc_progress !== undefined) onProgress(svc_progress);
    if (type !== "speech.audio.done") continue;
    return { bytes: joinBytes(parts), warnings: response.headers.get("x-svc-warning") ?? undefined };
  }
  signal.throwIfAborted();
  throw cut;
}

/** A bar on stderr. */
interface SpeechProgress {
  readonly show: (fraction: number) => void;
  readonly stop: () => void;
}

/** @param interactive Whether stderr is an interactive terminal; otherwise nothing is shown. */
export function speechProgress(interactive: boolean): SpeechProgress {
  if (!interactive) return { show: () => {}, stop: () => {} };
  const bar = new SingleBar({ format: "Speaking {bar} {percentage} %", hideCursor: true, clearOnComplete: true });
  return {
    show: (fraction) => {
      if (!bar.isActive) bar.start(100, 0);
      bar.update(Math.floor(100 * fraction));
    },
    stop: () => bar.stop(),
  };
}
