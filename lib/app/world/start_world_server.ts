/**
 * Starts a world server.
 *
 * @module
 */
import { listen } from "../../platform/sockets/listen.ts";
import type { BackendName } from "../../world/protocol/wire.ts";
import { announceServer } from "../running_servers.ts";
import { openWorldHandler, type WorldHandlerOptions } from "./open_world_handler.ts";

/** How long open responses may take to finish, in milliseconds. */
const GRACE = 5000;

/** Settings of a world server; by default they are those of the command line. */
export interface WorldServerOptions extends WorldHandlerOptions {
  /** Address to listen on; loopback by default. */
  readonly host?: string | undefined;
  /** 8791 by default; 0 for any free port. */
  readonly port?: number | undefined;
  /**
   * Whether commands of this user, such as `svc world walk`, find the server by themselves: its address on loopback is in
   * the application folder while it listens. `svc world serve` does so; by default a program's server is its own.
   */
  readonly announce?: boolean | undefined;
}

/** A listening world server. */
export interface WorldServer {
  /** Such as `http://127.0.0.1:8791`. */
  readonly url: string;
  /** Kind of the model. */
  readonly backend: BackendName;
  /** Id of the model. */
  readonly model: string;
  /** Resolves when another server has taken over the state directory because this process stalled; close it then. */
  readonly lost: Promise<Error>;
  /** Stops accepting, cancels the active job, lets open responses finish for 5 s, releases everything. */
  close(): Promise<void>;
}

/**
 * Starts a world server.
 *
 * @throws {UsageError} when `model` needs a base or `encoder` is unknown
 * @throws {Error} when another server uses the state directory, and what listening and preparing throw
 */
export async function startWorldServer(options: WorldServerOptions = {}): Promise<WorldServer> {
  const { host = "127.0.0.1", port = 8791 } = options;
  const handler = await openWorldHandler(options);
  const announcement = options.announce ? announceServer("world", handler) : undefined;
  try {
    const server = await listen(announcement?.fetch ?? handler.fetch, { host, port });
    await announcement?.listening(server.url);
    return {
      url: server.url,
      backend: handler.backend,
      model: handler.model,
      lost: handler.lost,
      close: async () => {
        await announcement?.end();
        await Promise.all([server.close(GRACE), handler.close()]);
      },
    };
  } catch (error) {
    await handler.close();
    throw error;
  }
}
