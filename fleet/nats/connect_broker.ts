/**
 * Connects a role of the fleet with NATS JetStream.
 *
 * @module
 */
import type { NodeConnectionOptions } from "@nats-io/transport-node";
import type { BrokerAddress } from "../../servers/flags/fleet_flags.ts";
import { loadNatsClient } from "./client_packages.ts";
import { isAway } from "./broker_away.ts";
import { inboxOf } from "./broker_permissions.ts";
import { someCause } from "./error_causes.ts";
import type { LayoutOptions } from "./layout.ts";
import { type OpenBroker, openBroker } from "./open_broker.ts";

/** Milliseconds that it may take at first: nodes that have just started elect a leader, in 4 to 9 s a vote. */
const START = 20_000;

/** Milliseconds after which it is asked again at first: without a leader nobody answers, then or later. */
const ASK_AGAIN = 2000;

/** What is said of a broker that stays without one. */
const SILENT = `its JetStream did not answer in ${START / 1000} s, look at its log and try again`;

/** The address of the NATS server, and what a role is there. */
export interface BrokerOptions extends BrokerAddress {
  /** Shown by the server. */
  readonly name: string;
  /** How to lay a new fleet out; {@linkcode LAYOUT} by default. */
  readonly layout?: Partial<LayoutOptions> | undefined;
}

/** A connected broker. */
export interface NatsBroker extends OpenBroker {
  /** Whether the connection is up. */
  isConnected(): boolean;
  /** Ends the connection. */
  close(): Promise<void>;
}

/**
 * Connects, and makes the streams and buckets that are missing.
 *
 * @throws {Error} when nothing answers at the address, or it is no NATS server with JetStream.
 */
export async function connectBroker(options: BrokerOptions): Promise<NatsBroker> {
  const client = await loadNatsClient();
  const servers = options.servers.split(",").map((server) => server.trim());
  const settings: NodeConnectionOptions = {
    servers,
    name: options.name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    timeout: 5000,
    ...(options.user !== undefined && { user: options.user, inboxPrefix: inboxOf(options.user) }),
    ...(options.password !== undefined && { pass: options.password }),
    ...(options.ca !== undefined && { tls: { caFile: options.ca } }),
  };
  const fail = (reason: string, cause: unknown): never => {
    throw new Error(`Cannot join the fleet at ${servers.join(", ")}: ${reason}`, { cause });
  };
  const connection = await client.transport.connect(settings).catch((cause) =>
    fail(`${(cause as Error).message}, expected a NATS server, start one with nats-server -js`, cause)
  );
  try {
    const ask = () => client.jetstream.jetstreamManager(connection, { timeout: ASK_AGAIN });
    await untilAnswer(ask, isTimeout).catch((cause) =>
      fail(isTimeout(cause) ? SILENT : "JetStream is off, start nats-server with -js", cause)
    );
    let isConnected = true;
    const follow = async (): Promise<void> => {
      for await (const { type } of connection.status()) {
        if (type === "disconnect" || type === "reconnect") isConnected = type === "reconnect";
      }
    };
    void follow();
    const { inboxPrefix } = settings;
    const open = () => openBroker(client, connection, { layout: options.layout, inboxPrefix });
    const broker = await untilAnswer(open, isAway).catch((cause) => {
      if (isAway(cause)) return fail(SILENT, cause);
      if (!isDenied(cause)) throw cause;
      const user = options.user ?? "of this role";
      const missing = `something of it is missing there, and the user ${user} may not make it`;
      return fail(`${missing}, run svc cluster init with the operator's user`, cause);
    });
    return {
      ...broker,
      isConnected: () => isConnected && !connection.isClosed(),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Whether the broker refused something for lack of permission. */
function isDenied(error: unknown): boolean {
  return someCause(error, ({ name }) => name === "PermissionViolationError");
}

/** Asks a broker that elects a leader, because it has just started or has lost a node, until it answers. */
async function untilAnswer<T>(ask: () => Promise<T>, isSilent: (error: unknown) => boolean): Promise<T> {
  const begun = performance.now();
  while (true) {
    try {
      return await ask();
    } catch (error) {
      if (!isSilent(error) || performance.now() - begun + ASK_AGAIN > START) throw error;
    }
  }
}

function isTimeout(error: unknown): boolean {
  return (error as Error).name === "TimeoutError";
}
