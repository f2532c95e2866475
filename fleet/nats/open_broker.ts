/**
 * What the roles of a fleet work with in a broker that is connected.
 *
 * @module
 */
import type { NatsConnection } from "@nats-io/transport-node";
import type { CollectableBlobs } from "../files/blob_store.ts";
import type { Bucket, ClusterBroker } from "../protocol/broker.ts";
import type { TenantUse } from "../tenants/tenant_use.ts";
import { BucketChanges } from "./bucket_changes.ts";
import type { NatsClient } from "./client_packages.ts";
import { ensureLayout, LAYOUT, type LayoutOptions, NAMES } from "./layout.ts";
import { natsBlobs } from "./nats_blobs.ts";
import { natsBucket } from "./nats_bucket.ts";
import { natsJournals } from "./nats_journals.ts";
import { type NatsRollouts, natsRollouts } from "./nats_rollouts.ts";
import { natsTickets } from "./nats_streams.ts";
import { type Guard, isSession, isTenantUse, isWorker } from "./nats_values.ts";

/** Milliseconds that the broker may take to answer. */
const TIMEOUT = 900;

/** How long a ticket stays with a worker that does not answer: a share of the lease, and the least, in milliseconds. */
const ACK_SHARE = 1;
const MIN_ACK = 2000;

/** What a worker is asked to do. */
export interface ControlRecord {
  readonly drain: string;
}

/** A broker whose streams and buckets are there. */
export interface OpenBroker extends ClusterBroker {
  /** When the fleet was laid out, to the nanosecond: no other one has the same. */
  readonly fleet: string;
  readonly blobs: CollectableBlobs;
  readonly rollouts: NatsRollouts;
  /** What tenants do, for their quotas. */
  readonly tenants: Bucket<TenantUse>;
  /** Calls `onDrain` when the worker of this name and epoch is asked to leave, until `signal` aborts. */
  followDrain(worker: string, epoch: string, onDrain: () => void, signal: AbortSignal): Promise<void>;
  /** Asks a worker to leave. */
  askToDrain(worker: string, epoch: string): Promise<void>;
}

/** How a broker is opened. */
export interface OpenOptions {
  /** How to lay a new fleet out; {@linkcode LAYOUT} by default. */
  readonly layout?: Partial<LayoutOptions> | undefined;
  /** What the answers to this client come under; that of NATS by default. */
  readonly inboxPrefix?: string | undefined;
}

/**
 * Opens a broker, and makes the streams and buckets that are missing.
 *
 * @throws what its client throws: also where a node is lost, until there is another leader.
 */
export async function openBroker(
  client: NatsClient,
  connection: NatsConnection,
  { layout, inboxPrefix }: OpenOptions,
): Promise<OpenBroker> {
  const replicas = layout?.replicas ?? 1;
  const manager = await client.jetstream.jetstreamManager(connection, { timeout: 10 * TIMEOUT, checkAPI: false });
  const buckets = await ensureLayout(client, manager, { ...LAYOUT, ...layout });
  const lease = (await buckets.workers.status()).ttl;
  await new client.obj.Objm(manager.jetstream()).create(NAMES.blobs, { replicas });
  // Unanswered requests are soon repeated; only setting the fleet up may take longer.
  const quick = await client.jetstream.jetstreamManager(connection, { timeout: TIMEOUT });
  const stream = quick.jetstream();
  const kvm = new client.kv.Kvm(stream);
  const { created: fleet, config: { max_msgs: lineLength } } = await manager.streams.info(NAMES.tickets);
  const ackWait = Math.max(MIN_ACK, ACK_SHARE * lease);
  const isClosed = (): boolean => connection.isClosed();
  const changes = new BucketChanges({ client, stream, manager: quick, inboxPrefix, lease, isClosed });
  const bucket = async <T>(name: string, isValue: Guard<T>): Promise<Bucket<T>> =>
    natsBucket(await kvm.open(name), name, isValue, changes);
  const control = await bucket(NAMES.control, isControl);
  const rollouts = await natsRollouts({ client, manager, quick, stream, replicas, ackWait, changes });
  return {
    fleet,
    lease,
    lineLength,
    ackWait,
    rollouts,
    workers: await bucket(NAMES.workers, isWorker),
    sessions: await bucket(NAMES.sessions, isSession),
    tickets: natsTickets(stream, quick, { ackWait, explicit: client.jetstream.AckPolicy.Explicit }),
    displaced: natsTickets(stream, quick, {
      ackWait,
      explicit: client.jetstream.AckPolicy.Explicit,
      stream: NAMES.displaced,
      subject: "svc.displaced",
    }),
    journals: natsJournals(stream, quick),
    blobs: natsBlobs({ client, bucket: NAMES.blobs, stream, manager: quick }),
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

const isControl: Guard<ControlRecord> = (value): value is ControlRecord =>
  typeof value === "object" && value !== null && "drain" in value && typeof value.drain === "string";
