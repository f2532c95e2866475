/**
 * Finds the running model API server that a command is for.
 *
 * @module
 */
import { findServers, type RunningServer } from "../../lib/app/running_servers.ts";
import { PermitsRefusedError } from "../../lib/errors/option_error.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { ApiClient, type ApiClientOptions, ApiError, DEFAULT_API_URL } from "./api_client.ts";

/** A model as a server lists it. */
export interface ListedModel {
  readonly id: string;
  readonly task?: string;
  readonly owned_by?: string;
}

/** Options of {@linkcode findApiServer}. */
export interface FindServerOptions extends ApiClientOptions {
  /** The server to use; by default one that runs on this machine. */
  readonly url: string | undefined;
  /** The servers of this user; none by default. */
  readonly running?: (() => Promise<readonly RunningServer[]>) | undefined;
}

/** The servers of this user that are listening. */
export const runningApiServers = (): Promise<readonly RunningServer[]> => findServers("api");

/** What was found: a server to use, or what those are that cannot be used. */
export type FoundServer =
  | { readonly client: ApiClient }
  | { readonly client: undefined; readonly others: string };

/** A server on this machine answers within 20 ms even while a model runs. */
const PROBE_MILLISECONDS = 1000;

/**
 * Finds a server: the one at `url`, else the one at the default address if it has the model, else the only one of this
 * user that has it.
 *
 * @param isWanted Whether a model that a server of ours lists is the wanted one.
 * @throws {ApiError} when no server has the model and one requires a key.
 * @throws {UsageError} when several have the model.
 */
export async function findApiServer(
  { url, running = () => Promise.resolve([]), ...options }: FindServerOptions,
  isWanted: (model: ListedModel) => boolean,
): Promise<FoundServer> {
  if (url !== undefined) return { client: new ApiClient(url, options) };
  const usual = new ApiClient(DEFAULT_API_URL, options);
  const noted = await running();
  const clients = noted.flatMap(({ url }) =>
    url === undefined || url === usual.url ? [] : [new ApiClient(url, options)]
  );
  const [first, ...rest] = await Promise.all([usual, ...clients].map((client) => ask(client, isWanted)));
  if (first.state === "has") return { client: usual };
  const able = rest.filter(({ state }) => state === "has");
  if (able.length === 1) return { client: able[0].client };
  if (able.length > 1) {
    const urls = able.map(({ client }) => client.url).join(" and ");
    throw new UsageError(`Cannot choose a server: ${urls} have the model, name one with --url`);
  }
  const locked = [first, ...rest].find(({ state }) => state === "locked");
  if (locked) {
    const message = `Cannot use the server at ${locked.client.url}: it requires a key, set --api-key or SVC_API_KEY`;
    throw new ApiError(401, "missing_api_key", message, locked.error);
  }
  const silent = noted.filter(({ url }) => url === undefined);
  const others = [
    ...[first, ...rest].filter(({ state }) => state === "lacks").map(({ client }) =>
      `the server at ${client.url} does not have the model`
    ),
    ...silent.map(({ pid }) => `the server of process ${pid} listens on no loopback address, name it with --url`),
  ];
  return { client: undefined, others: others.join(", ") };
}

/** Starts a server for one command where none that runs can be used. */
export async function startInstead<T>(others: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof PermitsRefusedError)) throw error;
    const remedy = others === "" ? "end it, or name another server with --url" : `${others}; end it`;
    throw new PermitsRefusedError(`${error.message}; ${remedy}`, { cause: error });
  }
}

interface Answer {
  readonly client: ApiClient;
  readonly state: "has" | "lacks" | "locked" | "none";
  readonly error?: unknown;
}

async function ask(client: ApiClient, isWanted: (model: ListedModel) => boolean): Promise<Answer> {
  try {
    const { data } = await client.get("/v1/models", AbortSignal.timeout(PROBE_MILLISECONDS)) as {
      data: readonly ListedModel[];
    };
    const ours = data.filter(({ owned_by }) => owned_by === "svc");
    if (ours.length === 0) return { client, state: data.length === 0 ? "lacks" : "none" };
    return { client, state: ours.some(isWanted) ? "has" : "lacks" };
  } catch (error) {
    const isLocked = error instanceof ApiError && ["missing_api_key", "invalid_api_key"].includes(error.code);
    return { client, state: isLocked ? "locked" : "none", error };
  }
}
