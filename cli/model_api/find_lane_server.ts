/**
 * The server for a command that is not a chat, and what such commands use of this machine.
 *
 * @module
 */
import type { ModelProfile } from "../../lib/engines/contract/model_profile.ts";
import { modelKinds } from "../../lib/engines/table/model_kinds.ts";
import { type WriteObstacle, writeObstacle, writeUserFile } from "../../lib/platform/files/user_files.ts";
import { abortOnShutdown } from "../../lib/platform/processes/shutdown.ts";
import { type Terminal, thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import type { InstalledModel } from "../../lib/store/catalog/installed_model.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { ApiClient } from "./api_client.ts";
import { type ChatServer, type FindChatServerOptions, ownApiServer } from "./chat_server.ts";
import { findApiServer, type ListedModel, runningApiServers, startInstead } from "./find_api_server.ts";

/** The environment of a command that asks a server and writes the answer to a file; tests can replace all of it. */
export interface LaneHost extends Pick<FindChatServerOptions, "fetch" | "running" | "start"> {
  readonly terminal: Terminal;
  /** The models of this machine. */
  readonly installed: () => Promise<readonly InstalledModel[]>;
  /** What prevents writing a new file. */
  readonly obstacle: (path: string) => Promise<WriteObstacle | undefined>;
  /** Writes a file completely or not at all, replacing an existing one. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The environment of a command such as `image` on this machine. */
export function laneHost(command: string): LaneHost {
  return {
    terminal: thisTerminal(),
    installed: () => openModelStore().list(),
    obstacle: writeObstacle,
    write: writeUserFile,
    running: runningApiServers,
    start: ownApiServer(command),
    signal: abortOnShutdown(),
  };
}

/** The server that a command line asks for. */
interface LaneChoice {
  /** Id, alias or folder; the default of the kind when undefined. */
  readonly model: string | undefined;
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
}

/** A server that has a model of the wanted kind. */
export interface LaneServer extends Omit<ChatServer, "model"> {
  /** The model to name in requests; undefined for the server's default. */
  readonly model: string | undefined;
}

/**
 * Finds a server: the one at `url`, else one on this machine that has the model, else a new one for this command.
 *
 * @param kind What the model has to do.
 * @throws {ApiError} when a server requires a key.
 * @throws {UsageError} when several have the model.
 * @throws {Error} when no model of the kind is installed; the message says how to get one.
 */
export async function findLaneServer(
  kind: ModelProfile["kind"],
  { model, url, apiKey }: LaneChoice,
  { fetch, running, start, installed, signal }: LaneHost,
): Promise<LaneServer> {
  const tasks: readonly string[] = modelKinds[kind].tasks;
  const isWanted = ({ id, task = "" }: ListedModel) =>
    tasks.includes(task) && (model ?? id).toLowerCase() === id.toLowerCase();
  const found = await findApiServer({ url, apiKey, fetch, running }, isWanted);
  if (found.client) return { client: found.client, model, close: () => Promise.resolve() };
  const name = model ?? await defaultModel(kind, await installed());
  const own = await startInstead(found.others, () => start(name, signal));
  return {
    client: new ApiClient(own.url, { fetch, apiKey: own.apiKey }),
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
