import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { WorldApiError } from "../../lib/world/client/world_api_error.ts";
import { findServers, type RunningServer } from "../../lib/app/running_servers.ts";
import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { createLog, type Log } from "../../lib/platform/processes/log.ts";
import { makeTemporaryDirectory } from "../../lib/platform/files/work_folder.ts";
import { startWorldServer } from "../../lib/app/world/start_world_server.ts";

/** The default address of `svc world serve`. */
const DEFAULT_WORLD_URL = "http://127.0.0.1:8791";

/** The world servers of this user that are listening. */
export const runningWorldServers = (): Promise<readonly RunningServer[]> => findServers("world");

/** A server to walk on. */
export interface WalkServer {
  readonly client: WorldClient;
  /** Whether it was started for this walk and stops with it. */
  readonly started: boolean;
  /** Stops a server that was started for this walk; does nothing to any other. */
  close(): Promise<void>;
}

/** Options of {@linkcode findWalkServer}. */
export interface FindWalkServerOptions {
  /** The server to use; by default one on this machine, else a new one. */
  readonly url?: string;
  /** The world servers of this user; none by default. */
  readonly running?: () => Promise<readonly RunningServer[]>;
  readonly apiKey?: string;
  /** Whether the walk continues from a server's current state, which a new server could not offer. */
  readonly continued: boolean;
  readonly signal: AbortSignal;
  /** Sends the requests; the platform's `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly start: () => Promise<{ readonly url: string; close(): Promise<void> }>;
}

/**
 * Finds the server of a walk: the one at `url`, else the one at the default address, else the only one of this user, else
 * a new one.
 *
 * @throws {WorldApiError} when `url` is not a world server
 * @throws {UsageError} when there are several, one requires a key, or a continued walk finds none
 */
export async function findWalkServer(options: FindWalkServerOptions): Promise<WalkServer> {
  const { url, running = () => Promise.resolve([]), signal, start, continued, ...clientOptions } = options;
  if (url !== undefined) {
    const client = new WorldClient(url, clientOptions);
    await client.health({ signal });
    return { client, started: false, close: () => Promise.resolve() };
  }
  const client = await runningWorld(running, clientOptions);
  if (client) {
    await checkKey(client, signal);
    return { client, started: false, close: () => Promise.resolve() };
  }
  if (continued) {
    throw new UsageError(
      `Cannot continue the walk: no world server answers at ${DEFAULT_WORLD_URL}, and no other one of this user runs, ` +
        "start one with svc world serve, walk there once, then use --continue; or name another server with --url",
    );
  }
  const server = await start();
  return { client: new WorldClient(server.url, clientOptions), started: true, close: () => server.close() };
}

async function runningWorld(
  running: () => Promise<readonly RunningServer[]>,
  options: ConstructorParameters<typeof WorldClient>[1],
): Promise<WorldClient | undefined> {
  const usual = new WorldClient(DEFAULT_WORLD_URL, options);
  if (await answers(usual)) return usual;
  const found = (await running()).filter(({ url }) => url !== DEFAULT_WORLD_URL);
  const urls = found.flatMap(({ url }) => url ?? []);
  if (urls.length === 1) return new WorldClient(urls[0], options);
  if (urls.length > 1) {
    throw new UsageError(`Cannot choose a world server: ${urls.join(" and ")} are running, name one with --url`);
  }
  if (found.length === 0) return undefined;
  const reason = `that of process ${found[0].pid} listens on no loopback address, name it with --url`;
  throw new UsageError(`Cannot use the world server: ${reason}`);
}

/** A server that was not named may require a key, which is reported before anything is made. */
async function checkKey(client: WorldClient, signal: AbortSignal): Promise<void> {
  try {
    await client.session({ signal });
  } catch (error) {
    if (!(error instanceof WorldApiError) || error.status !== 401) throw error;
    const message = `Cannot use the world server at ${client.baseUrl}: it requires a key, set --api-key or SVC_API_KEY`;
    throw new UsageError(message);
  }
}

async function answers(client: WorldClient): Promise<boolean> {
  try {
    await client.health({ signal: AbortSignal.timeout(PROBE_MILLISECONDS) });
    return true;
  } catch {
    return false;
  }
}

/** A server on this machine answers within 50 ms even while it generates. */
const PROBE_MILLISECONDS = 1000;

/**
 * Starts a world server for one command, on any free port; it stops with the command and its files are removed. Only
 * errors of its log are shown.
 */
export async function startOwnServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const state = await makeTemporaryDirectory();
  try {
    const show = createLog();
    const log: Log = (level, ...entry) => level === "error" && show(level, ...entry);
    const encoder = thisPlatform().env["SVC_ENCODER"] || undefined;
    const server = await startWorldServer({ stateDirectory: state.path, port: 0, encoder, log });
    return { url: server.url, close: () => server.close().finally(state.remove) };
  } catch (error) {
    await state.remove();
    throw error;
  }
}
