/**
 * The server for a command that is not a chat.
 *
 * @module
 */
import type { ModelProfile } from "../../lib/engines/contract/model_profile.ts";
import { modelKinds } from "../../lib/engines/table/model_kinds.ts";
import type { InstalledModel } from "../../lib/store/catalog/installed_model.ts";
import { ApiClient } from "./api_client.ts";
import type { ChatServer, FindChatServerOptions } from "./chat_server.ts";
import { findApiServer, type ListedModel, startInstead } from "./find_api_server.ts";

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
 * Finds a server: the one at `url`, else one on this machine that has the model, else a new one for this command.
 *
 * @throws {ApiError} when a server requires a key.
 * @throws {UsageError} when several have the model.
 * @throws {Error} when no model of the kind is installed; the message says how to get one.
 */
export async function findLaneServer(options: FindLaneServerOptions, signal: AbortSignal): Promise<LaneServer> {
  const { kind, model, start, installed, ...find } = options;
  const tasks: readonly string[] = modelKinds[kind].tasks;
  const isWanted = ({ id, task = "" }: ListedModel) =>
    tasks.includes(task) && (model ?? id).toLowerCase() === id.toLowerCase();
  const found = await findApiServer(find, isWanted);
  if (found.client) return { client: found.client, model, close: () => Promise.resolve() };
  const name = model ?? await defaultModel(kind, await installed());
  const own = await startInstead(found.others, () => start(name, signal));
  return {
    client: new ApiClient(own.url, { fetch: find.fetch, apiKey: own.apiKey }),
    model: own.model,
    close: () => own.close(),
  };
}

function defaultModel(kind: ModelProfile["kind"], models: readonly InstalledModel[]): string {
  const { defaults, noun, remedy } = modelKinds[kind];
  const ids = models.filter(({ profile }) => profile?.kind === kind).map(({ id }) => id);
  const id = defaults.find((id) => ids.includes(id)) ?? ids[0];
  if (id !== undefined) return id;
  throw new Error(`Cannot find ${noun}: none is installed, ${remedy}`);
}
