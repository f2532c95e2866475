/**
 * Starts a model API server.
 *
 * @module
 */
import { listen, type Listening } from "../../platform/sockets/listen.ts";
import { announceServer } from "../running_servers.ts";
import { type ModelHandlerOptions, openModelHandler } from "./open_model_handler.ts";

/** How long open responses may take to finish, in milliseconds. */
const GRACE = 5000;

/** Settings of a model API server; the defaults are those of `svc api serve`. */
export interface ModelServerOptions extends ModelHandlerOptions {
  /** Address to listen on; loopback by default. */
  readonly host?: string | undefined;
  /** 8080 by default; 0 for any free port. */
  readonly port?: number | undefined;
  /**
   * Whether commands of this user, such as `svc chat`, find the server by themselves: its address on loopback is in the
   * application folder while it listens. `svc api serve` does so; by default a program's server is its own.
   */
  readonly announce?: boolean | undefined;
}

/** A listening model API server. */
export interface ModelServer {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Id of the model that answers requests without one. */
  readonly model: string | undefined;
  /** Stops accepting, lets open responses finish for 5 s, stops all engines. */
  close(): Promise<void>;
}

/**
 * Starts a model API server: reserves its share of the machine, listens, loads the first model.
 *
 * @param signal Cancels the start.
 * @throws {UsageError} when options exclude each other or name a missing model.
 * @throws {PermitsRefusedError} when there is too little memory, and what loading and listening throw.
 */
export async function startModelServer(
  options: ModelServerOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelServer> {
  const { host = "127.0.0.1", port = 8080 } = options;
  const handler = await openModelHandler(options, signal);
  const announcement = options.announce ? announceServer("api", handler) : undefined;
  let server: Listening | undefined;
  const close = async (grace: number): Promise<void> => {
    // Requests that are cut off are answered so before their connections are closed.
    const deadline = AbortSignal.timeout(Math.max(0, grace - 500));
    await announcement?.end();
    await Promise.all([server?.close(grace), handler.close(deadline)]);
  };
  try {
    // It listens first: a port in use is reported before the load, and requests wait for the load like the start does.
    server = await listen(announcement?.fetch ?? handler.fetch, { host, port });
    await announcement?.listening(server.url);
    await handler.preload(signal);
    return { url: server.url, model: handler.model, close: () => close(GRACE) };
  } catch (error) {
    await close(0);
    throw error;
  }
}
