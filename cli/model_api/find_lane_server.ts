/**
 * The server for a command that is not a chat.
 *
 * @module
 */
import type { ModelProfile } from "../../lib/engines/contract/model_profile.ts";
import { modelKinds } from "../../lib/engines/table/model_kinds.ts";
import type { InstalledModel } from "../../lib/store/catalog/installed_model.ts";
import { ApiClient, ApiError, DEFAULT_API_URL } from "./api_client.ts";
import type { ChatServer, FindChatServerOptions } from "./chat_server.ts";

/** A server on this machine answers within 20 ms even while a model runs. */
const PROBE_MILLISECONDS = 1000;

/** Options of {@linkcode findLaneServer}. */
export interface FindLaneServerOptions extends Omit<FindChatServerOptions, "model"> {
  /** What the model has to do. */
  readonly kind: ModelProfile["kind"];
  /** Id, alias or folder; the default of the kind when undefined. */
  readonly model: string | undefined;
  /** The models of this machine. */
  readonly installed: () => Promise<readonly InstalledModel[]>;
}

/** A server that has a model of the wanted kind. */
export interface LaneServer extends Omit<ChatServer, "model"> {
  /** The model to name in requests; undefined for the server's default. */
  readonly model: string | undefined;
}

/**
 * Finds a server: the one at `url`, else one at the default address that has the model, else a new one for this command.
 *
 * @throws {ApiError} when the server rejects the key, or `url` does not answer.
 * @throws {Error} when no model of the kind is installed; the message says how to get one.
 */
export async function findLaneServer(options: FindLaneServerOptions, signal: AbortSignal): Promise<LaneServer> {
  const { kind, model, url, start, installed, ...client } = options;
  const found = new ApiClient(url ?? DEFAULT_API_URL, client);
  if (url !== undefined || await offers(found, kind, model)) {
    return { client: found, model, close: () => Promise.resolve() };
  }
  const own = await start(model ?? await defaultModel(kind, await installed()), signal);
  return {
    client: new ApiClient(own.url, { ...client, apiKey: own.apiKey }),
    model: own.model,
    close: () => own.close(),
  };
}

/** Whether the server is one of ours and has the model, or where none is named any of the kind. */
async function offers(client: ApiClient, kind: ModelProfile["kind"], model: string | undefined): Promise<boolean> {
  try {
    const { data } = await client.get("/v1/models", AbortSignal.timeout(PROBE_MILLISECONDS)) as {
      data: readonly { id: string; task?: string; owned_by?: string }[];
    };
    const tasks: readonly string[] = modelKinds[kind].tasks;
    return data.some(({ id, task = "", owned_by }) =>
      owned_by === "svc" && tasks.includes(task) && (model ?? id).toLowerCase() === id.toLowerCase()
    );
  } catch (error) {
    if (error instanceof ApiError && ["missing_api_key", "invalid_api_key"].includes(error.code)) {
      const message = `Cannot use the server at ${client.url}: it requires a key, set --api-key or SVC_API_KEY`;
      throw new ApiError(error.status, error.code, message, error);
    }
    return false;
  }
}

function defaultModel(kind: ModelProfile["kind"], models: readonly InstalledModel[]): string {
  const { defaults, noun, remedy } = modelKinds[kind];
  const ids = models.filter(({ profile }) => profile?.kind === kind).map(({ id }) => id);
  const id = defaults.find((id) => ids.includes(id)) ?? ids[0];
  if (id !== undefined) return id;
  throw new Error(`Cannot find ${noun}: none is installed, ${remedy}`);
}
