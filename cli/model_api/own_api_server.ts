import { createLog } from "../../lib/platform/processes/log.ts";
import { thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { loadProgress } from "../../lib/app/models/load_progress.ts";
import { startModelServer } from "../../lib/app/models/start_model_server.ts";
import type { OwnServer } from "./chat_server.ts";

/** Starts a model API server for one command, which stops with it. Only errors of its log are shown. */
export async function startOwnApiServer(model: string, signal: AbortSignal): Promise<OwnServer> {
  const { err, interactive } = thisTerminal();
  const write = createLog();
  const progress = loadProgress(interactive, (level, ...entry) => level === "error" && write(level, ...entry));
  const apiKey = crypto.randomUUID();
  try {
    const server = await startModelServer(
      { model, port: 0, apiKey, log: progress.log, notify: err, onLoad: progress.show },
      signal,
    );
    return { url: server.url, apiKey, model: server.model ?? model, close: () => server.close() };
  } finally {
    progress.stop();
  }
}
