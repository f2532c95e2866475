/**
 * Connects a role of the fleet with NATS JetStream.
 *
 * @module
 */
import type { NodeConnectionOptions } from "@nats-io/transport-node";
import type { CollectableBlobs } from "../blobs/blob_store.ts";
import type { ClusterEngine } from "../protocol/engine.ts";
import { loadNatsClient } from "./client_packages.ts";
import { inboxOf } from "./engine_permissions.ts";
import { ensureLayout, LAYOUT, type LayoutOptions, NAMES } from "./layout.ts";
import { natsBlobs } from "./nats_blobs.ts";
import { natsBucket } from "./nats_bucket.ts";
import { natsJournals } from "./nats_journals.ts";
import { type NatsRollouts, natsRollouts } from "./nats_rollouts.ts";
import { natsTickets } from "./nats_tickets.ts";
import type { Bucket } from "../protocol/engine.ts";
import type { TenantUse } from "../tenants/tenant_use.ts";
import { type Guard, isSession, isTenantUse, isWorker } from "./nats_values.ts";

/** Milliseconds that the engine may take to answer. */
const TIMEOUT = 900;

/** Milliseconds that it may take at first: nodes that have just started elect a leader, in 4 to 9 s a vote. */
const START = 20_000;

/** Milliseconds after which it is asked again at first: without a leader nobody answers, then or later. */
const ASK_AGAIN = 2000;

/** How long a ticket stays with a worker that does not answer: a share of the lease, and the least, in milliseconds. */
const ACK_SHARE = 1;
const MIN_ACK = 2000;

/** The address of the engine, and the credentials. */
export interface EngineOptions {
  /** Such as `nats://127.0.0.1:4222`; several, with commas, for the nodes of one engine. */
  readonly servers: string;
  /** Shown by the engine. */
  readonly name: string;
  /** Of the user of this role; none on loopback. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** File of the authority that the engine's certificate is checked against. */
  readonly ca?: string | undefined;
  /** How to lay a new fleet out; {@linkcode LAYOUT} by default. */
  readonly layout?: Partial<LayoutOptions> | undefined;
}

/** What a worker is asked to do. */
export interface ControlRecord {
  readonly drain: string;
}

/** A connected engine. */
export interface NatsEngine extends ClusterEngine {
  /** When the fleet was laid out, to the nanosecond: no other one has the same. */
  readonly fleet: string;
  readonly blobs: CollectableBlobs;
  readonly rollouts: NatsRollouts;
  /** What tenants do, for their quotas. */
  readonly tenants: Bucket<TenantUse>;
  /** Whether the connection is up. */
  isConnected(): boolean;
  /** Calls `onDrain` when the worker of this name and epoch is asked to leave, until `signal` aborts. */
  followDrain(worker: string, epoch: string, onDrain: () => void, signal: AbortSignal): Promise<void>;
  /** Asks a worker to leave. */
  askToDrain(worker: string, epoch: string): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/**
 * Connects, and makes the streams and buckets that are missing.
 *
 * @throws {Error} when nothing answers at the address, or it is no NATS server with JetStream.
 */
export async function connectEngine(options: EngineOptions): Promise<NatsEngine> {
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
  const connection = await client.transport.connect(settings).catch((cause) => {
    const message = `Cannot join the fleet at ${servers.join(", ")}: ${(cause as Error).message}, expected a NATS ` +
      "server, start one with nats-server -js";
    throw new Error(message, { cause });
  });
  try {
    await untilAnswer(() => client.jetstream.jetstreamManager(connection, { timeout: ASK_AGAIN })).catch((cause) => {
      const reason = isTimeout(cause)
        ? `its JetStream did not answer in ${START / 1000} s, look at its log and try again`
        : "JetStream is off, start nats-server with -js";
      const message = `Cannot join the fleet at ${servers.join(", ")}: ${reason}`;
      throw new Error(message, { cause });
    });
    const manager = await client.jetstream.jetstreamManager(connection, { timeout: 10 * TIMEOUT, checkAPI: false });
    const follow = async (): Promise<void> => {
      for await (const { type } of connection.status()) {
        if (type === "disconnect" || type === "reconnect") isConnected = type === "reconnect";
      }
    };
    let isConnected = true;
    void follow();
    const buckets = await ensureLayout(client, manager, { ...LAYOUT, ...options.layout }).catch((cause) => {
      if (!isDenied(cause)) throw cause;
      const message =
        `Cannot join the fleet at ${servers.join(", ")}: something of it is missing there, and the user ` +
        `${options.user ?? "of this role"} may not make it, run svc cluster init with the operator's user`;
      throw new Error(message, { cause });
    });
    const lease = (await buckets.workers.status()).ttl;
    await new client.obj.Objm(manager.jetstream()).create(NAMES.blobs, { replicas: options.layout?.replicas ?? 1 });
    // Unanswered requests are soon repeated; only setting the fleet up may take longer.
    const quick = await client.jetstream.jetstreamManager(connection, { timeout: TIMEOUT });
    const stream = quick.jetstream();
    const kvm = new client.kv.Kvm(stream);
    const { created: fleet } = await manager.streams.info(NAMES.tickets);
    const ackWait = Math.max(MIN_ACK, ACK_SHARE * lease);
    const isClosed = (): boolean => connection.isClosed();
    const control = natsBucket(await kvm.open(NAMES.control), isControl, isClosed);
    const replicas = options.layout?.replicas ?? 1;
    const rollouts = await natsRollouts({ client, manager, quick, stream, replicas, ackWait, isClosed });
    return {
      fleet,
      lease,
      ackWait,
      rollouts,
      workers: natsBucket(await kvm.open(NAMES.workers), isWorker, isClosed),
      sessions: natsBucket(await kvm.open(NAMES.sessions), isSession, isClosed),
      tickets: natsTickets(stream, quick, { ackWait, explicit: client.jetstream.AckPolicy.Explicit }),
      displaced: natsTickets(stream, quick, {
        ackWait,
        explicit: client.jetstream.AckPolicy.Explicit,
        stream: NAMES.displaced,
        subject: "svc.displaced",
      }),
      journals: natsJournals(stream, quick),
      blobs: natsBlobs({ client, bucket: NAMES.blobs, stream, manager: quick }),
      tenants: natsBucket(await kvm.open(NAMES.tenants), isTenantUse, isClosed),
      isConnected: () => isConnected && !isClosed(),
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
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Whether the engine refused something for lack of permission. */
function isDenied(error: unknown): boolean {
  const { name, cause } = error as { readonly name?: unknown; readonly cause?: unknown };
  return name === "PermissionViolationError" || cause !== undefined && cause !== null && isDenied(cause);
}

const isControl: Guard<ControlRecord> = (value): value is ControlRecord =>
  typeof value === "object" && value !== null && "drain" in value && typeof value.drain === "string";

/** Asks an engine that may have just started until it answers. */
async function untilAnswer(ask: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  while (true) {
    try {
      await ask();
      return;
    } catch (error) {
      if (!isTimeout(error) || performance.now() - begun + ASK_AGAIN > START) throw error;
    }
  }
}

function isTimeout(error: unknown): boolean {
  return (error as Error).name === "TimeoutError";
}
