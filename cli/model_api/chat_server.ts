import { ApiClient } from "./api_client.ts";
import { findApiServer, type FindServerOptions, type ListedModel, startInstead } from "./find_api_server.ts";
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
export interface FindChatServerOptions extends FindServerOptions {
  readonly model: string;
  readonly start: (model: string, signal: AbortSignal) => Promise<OwnServer>;
}

/**
 * Finds a server: the one at `url`, else one on this machine that has the model, else a new one.
 *
 * @throws {ApiError} when a server requires a key.
 * @throws {UsageError} when several have the model.
 */
export async function findChatServer(options: FindChatServerOptions, signal: AbortSignal): Promise<ChatServer> {
  const { model, start, ...find } = options;
  const isWanted = ({ id, task }: ListedModel) => task === CHAT && id.toLowerCase() === model.toLowerCase();
  const found = await findApiServer(find, isWanted);
  if (found.client) return { client: found.client, model, close: () => Promise.resolve() };
  const own = await startInstead(found.others, () => start(model, signal));
  return {
    client: new ApiClient(own.url, { fetch: find.fetch, apiKey: own.apiKey }),
    model: own.model,
    close: () => own.close(),
  };
}

const CHAT = "chat.completions";

/** Ids and aliases of the chat models that a server lists. */
export async function listChatModels(client: ApiClient, signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await client.get("/v1/models", signal) as {
    data: readonly { id: string; task?: string; owned_by?: string }[];
  };
  return data.filter((entry) => entry.owned_by === "svc" && entry.task === CHAT).map(({ id }) => id);
}

/**
 * How one command starts a model API server for itself, which stops with it. Only errors of its log are shown. It does not
 * wait for servers that keep running.
 *
 * @param label The command, for other processes that wait for the machine and for errors.
 */
export function ownApiServer(label: string): FindChatServerOptions["start"] {
  return async (model, signal) => {
    const { err, interactive } = thisTerminal();
    const write = createLog();
    const progress = loadProgress(interactive, (level, ...entry) => level === "error" && write(level, ...entry));
    const apiKey = crypto.randomUUID();
    const own = { model, port: 0, apiKey, label, waitForServers: false };
    try {
      const server = await startModelServer({ ...own, log: progress.log, notify: err, onLoad: progress.show }, signal);
      return { url: server.url, apiKey, model: server.model ?? model, close: () => server.close() };
    } finally {
      progress.stop();
    }
  };
}
