import { ApiClient, type ApiClientOptions, ApiError, DEFAULT_API_URL } from "./api_client.ts";
import { createLog } from "../../lib/platform/processes/log.ts";
import { thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { loadProgress } from "../../lib/app/models/load_progress.ts";
import { startModelServer } from "../../lib/app/models/start_model_server.ts";

/** A server to chat with. */
export interface ChatServer {
  readonly client: ApiClient;
  /** Name of the model on that server. */
  readonly model: string;
  /** Stops a server that was started for this chat; does nothing to any other. */
  close(): Promise<void>;
}

/** A server that was started for one command. */
interface OwnServer {
  readonly url: string;
  readonly apiKey: string;
  /** Id of the model that it serves. */
  readonly model: string;
  close(): Promise<void>;
}

/** Options of {@linkcode findChatServer}. */
export interface FindChatServerOptions extends ApiClientOptions {
  readonly model: string;
  /** The server to use; by default the one at the default address, else this process serves the model. */
  readonly url: string | undefined;
  readonly start: (model: string, signal: AbortSignal) => Promise<OwnServer>;
}

/**
 * Finds a server: the one at `url`, else one at the default address that has the model, else a new one.
 *
 * @throws {ApiError} when the server rejects the key, or `url` does not answer.
 */
export async function findChatServer(options: FindChatServerOptions, signal: AbortSignal): Promise<ChatServer> {
  const { model, url, start, ...client } = options;
  const found = new ApiClient(url ?? DEFAULT_API_URL, client);
  if (url !== undefined || (await offeredModels(found)).includes(model.toLowerCase())) {
    return { client: found, model, close: () => Promise.resolve() };
  }
  const own = await start(model, signal);
  return {
    client: new ApiClient(own.url, { ...client, apiKey: own.apiKey }),
    model: own.model,
    close: () => own.close(),
  };
}

/** Ids and aliases of the chat models that a server lists. */
export async function listChatModels(client: ApiClient, signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await client.get("/v1/models", signal) as {
    data: readonly { id: string; task?: string; owned_by?: string }[];
  };
  return data.filter((entry) => entry.owned_by === "svc" && entry.task === "chat.completions").map(({ id }) => id);
}

/** The chat models of the server at the default address, if it is one of ours; in lower case. */
async function offeredModels(client: ApiClient): Promise<readonly string[]> {
  try {
    return (await listChatModels(client, AbortSignal.timeout(PROBE_MILLISECONDS))).map((id) => id.toLowerCase());
  } catch (error) {
    if (error instanceof ApiError && ["missing_api_key", "invalid_api_key"].includes(error.code)) {
      const message = `Cannot use the server at ${client.url}: it requires a key, set --api-key or SVC_API_KEY`;
      throw new ApiError(error.status, error.code, message, error);
    }
    return [];
  }
}

/** A server on this machine answers within 20 ms even while a model runs. */
const PROBE_MILLISECONDS = 1000;

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
