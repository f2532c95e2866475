/**
 * Connects a role of the fleet with NATS JetStream.
 *
 * @module
 */
import { jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Objm } from "@nats-io/obj";
import { connect, type NatsConnection, type NodeConnectionOptions } from "@nats-io/transport-node";
import type { BrokerAddress } from "../../servers/flags/fleet_flags.ts";
import { isAway, isDenied } from "./broker_trouble.ts";
import { inboxOf } from "./broker_permissions.ts";
import { ensureLayout, LAYOUT, type LayoutOptions, NAMES } from "./layout.ts";
import type { CollectableBlobs } from "../files/blob_store.ts";
import type { Bucket, ClusterBroker } from "../protocol/broker.ts";
import type { TenantUse } from "../tenants/tenant.ts";
import { BucketChanges } from "./bucket_changes.ts";
import { natsBlobs } from "./nats_blobs.ts";
import { type Guard, isSession, isTenantUse, isWorker, natsBucket } from "./nats_bucket.ts";
import { natsJournals, natsTickets } from "./nats_streams.ts";
import { type NatsBatches, natsBatches } from "./nats_batches.ts";

/** Milliseconds that it may take at first: nodes that have just started elect a leader, in 4 to 9 s a vote. */
const START = 20_000;

/** Milliseconds before the first retry: without a leader no node answers, then or later. */
const ASK_AGAIN = 2000;

/** What is said of a broker that stays without one. */
const SILENT = `its JetStream did not answer in ${START / 1000} s, look at its log and try again`;

/** Milliseconds that the broker may take to answer. */
const TIMEOUT = 900;

/** How long a ticket stays with a worker that does not answer: a share of the lease, and the least, in milliseconds. */
const ACK_SHARE = 1;
const MIN_ACK = 2000;

/** The address of the NATS server, and what a role is there. */
export interface BrokerOptions extends BrokerAddress {
  /** Shown by the server. */
  readonly name: string;
  /** How to set up a new fleet; {@linkcode LAYOUT} by default. */
  readonly layout?: Partial<LayoutOptions> | undefined;
}

/** A connected broker, whose streams and buckets are there. */
export interface NatsBroker extends ClusterBroker {
  /** When the fleet was set up, to the nanosecond: no other fleet has the same. */
  readonly fleet: string;
  readonly blobs: CollectableBlobs;
  readonly batches: NatsBatches;
  /** What tenants do, for their quotas. */
  readonly tenants: Bucket<TenantUse>;
  /** Calls `onDrain` when the worker of this name and epoch is asked to leave, until `signal` aborts. */
  followDrain(worker: string, epoch: string, onDrain: () => void, signal: AbortSignal): Promise<void>;
  /** Asks a worker to leave. */
  askToDrain(worker: string, epoch: string): Promise<void>;
  /** Whether the connection is up. */
  isConnected(): boolean;
  /** Ends the connection. */
  close(): Promise<void>;
}

/**
 * Connects, and makes the streams and buckets that are missing.
 *
 * @throws {Error} when nothing answers at the address, or what answers is not a NATS server with JetStream.
 */
export async function connectBroker(options: BrokerOptions): Promise<NatsBroker> {
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
  const connection = await connect(settings).catch((cause) =>
    fail(`${(cause as Error).message}, expected a NATS server, start one with nats-server -js -a 127.0.0.1`, cause)
  );
  try {
    const ask = () => jetstreamManager(connection, { timeout: ASK_AGAIN });
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
    const open = () => openBroker(connection, { layout: options.layout, inboxPrefix });
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

/** How a broker is opened. */
interface OpenOptions {
  /** How to set up a new fleet; {@linkcode LAYOUT} by default. */
  readonly layout?: Partial<LayoutOptions> | undefined;
  /** What the answers to this client come under; that of NATS by default. */
  readonly inboxPrefix?: string | undefined;
}

/**
 * Opens a broker, and makes the streams and buckets that are missing.
 *
 * @throws what its client throws: also where a node is lost, until there is another leader.
 */
async function openBroker(
  connection: NatsConnection,
  { layout, inboxPrefix }: OpenOptions,
): Promise<Omit<NatsBroker, "isConnected" | "close">> {
  const replicas = layout?.replicas ?? 1;
  const manager = await jetstreamManager(connection, { timeout: 10 * TIMEOUT, checkAPI: false });
  const buckets = await ensureLayout(manager, { ...LAYOUT, ...layout });
  const lease = (await buckets.workers.status()).ttl;
  await new Objm(manager.jetstream()).create(NAMES.blobs, { replicas });
  // Unanswered requests are soon repeated; only setting the fleet up may take longer.
  const quick = await jetstreamManager(connection, { timeout: TIMEOUT });
  const stream = quick.jetstream();
  const kvm = new Kvm(stream);
  const { created: fleet, config: { max_msgs: lineLength } } = await manager.streams.info(NAMES.tickets);
  const ackWait = Math.max(MIN_ACK, ACK_SHARE * lease);
  const isClosed = (): boolean => connection.isClosed();
  const changes = new BucketChanges({ stream, manager: quick, inboxPrefix, lease, isClosed });
  const bucket = async <T>(name: string, isValue: Guard<T>): Promise<Bucket<T>> =>
    natsBucket(await kvm.open(name), name, isValue, changes);
  const control = await bucket(NAMES.control, isControl);
  const batches = await natsBatches({ manager, quick, stream, replicas, ackWait, changes });
  return {
    fleet,
    lease,
    lineLength,
    ackWait,
    batches,
    workers: await bucket(NAMES.workers, isWorker),
    sessions: await bucket(NAMES.sessions, isSession),
    tickets: natsTickets(stream, quick, { ackWait }),
    displaced: natsTickets(stream, quick, {
      ackWait,
      stream: NAMES.displaced,
      subject: "svc.displaced",
    }),
    journals: natsJournals(stream, quick),
    blobs: natsBlobs({ bucket: NAMES.blobs, stream, manager: quick }),
    tenants: await bucket(NAMES.tenants, isTenantUse),
    async followDrain(worker, epoch, onDrain, signal) {
      await control.watch((key, entry) => {
        if (key === worker && entry?.value.drain === epoch) onDrain();
      }, signal);
    },
    async askToDrain(worker, epoch) {
      const known = await control.get(worker);
      if (known) await control.update(worker, { drain: epoch }, known.revision);
      else await control.create(worker, { drain: epoch });
    },
  };
}

/** What a worker is asked to do. */
interface ControlRecord {
  readonly drain: string;
}

const isControl: Guard<ControlRecord> = (value): value is ControlRecord =>
  typeof value === "object" && value !== null && "drain" in value && typeof value.drain === "string";
