/**
 * Shows how far a request to a server is.
 *
 * @module
 */
import { printable } from "../../lib/platform/terminal/terminal_text.ts";
import { SingleBar } from "cli-progress";
import type { ApiClient } from "./api_client.ts";

/** Milliseconds between two looks at the status of the server. */
const INTERVAL = 500;

/** The fields used of the status. */
interface ServerStatus {
  readonly admission?: {
    readonly activeRequestDetails?: readonly {
      readonly modelID?: string;
      readonly progress?: { readonly fraction: number; readonly stage: string };
    }[];
  };
}

/**
 * Shows a bar on stderr until the function that this returns is called.
 *
 * @param label What is done, such as `Transcribing`.
 * @param model Id of the model; of several requests to it, the newest is shown.
 * @param interactive Whether stderr is an interactive terminal; otherwise nothing is shown.
 */
export function watchProgress(
  client: ApiClient,
  label: string,
  model: string | undefined,
  interactive: boolean,
): () => void {
  if (!interactive) return () => {};
  const bar = new SingleBar({ format: `${label} {bar} {stage}`, hideCursor: true, clearOnComplete: true });
  const stopped = new AbortController();
  const look = async (): Promise<void> => {
    // What the server does not report is not shown: the answer is what matters.
    const status = await client.get("/runtime/status", stopped.signal).catch(() => undefined) as
      | ServerStatus
      | undefined;
    const running = status?.admission?.activeRequestDetails ?? [];
    const found = running.filter(({ modelID }) => model === undefined || modelID === model).at(-1)?.progress;
    if (stopped.signal.aborted || found === undefined) return;
    if (!bar.isActive) bar.start(100, 0, { stage: "" });
    bar.update(Math.floor(100 * found.fraction), { stage: printable(found.stage) });
  };
  const timer = setInterval(() => void look(), INTERVAL);
  return () => {
    stopped.abort();
    clearInterval(timer);
    bar.stop();
  };
}
