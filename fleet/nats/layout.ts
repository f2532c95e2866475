/**
 * The streams and buckets of a fleet.
 *
 * @module
 */
import { DiscardPolicy, type JetStreamManager, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";

/** Names of what a fleet keeps in the broker. */
export const NAMES = {
  workers: "svc_workers",
  sessions: "svc_sessions",
  control: "svc_control",
  tenants: "svc_tenants",
  blobs: "svc_blobs",
  tickets: "SVC_PLACE",
  displaced: "SVC_DISPLACED",
} as const;

/** Streams that the journals are spread over: one would write one after another. */
export const JOURNALS = 16;

/** Bytes of a message: pictures, videos and states are blobs. */
export const MAX_MESSAGE: number = 512 * 1024;

/** The layout of a fleet; read from the broker if it exists. */
export interface LayoutOptions {
  /** Milliseconds until a silent worker loses its sessions. */
  readonly lease: number;
  /** Sessions that may wait at the same time. */
  readonly lineLength: number;
  /** Copies of everything: 1, or 3 with a broker of three nodes. */
  readonly replicas: number;
}

/** The default layout of a fleet. */
export const LAYOUT: LayoutOptions = { lease: 20_000, lineLength: 1000, replicas: 1 };

/** Milliseconds of a ticket. */
const TICKET_AGE = 120_000;

/** The stream and the subject of a session's journal. */
export function journalOf(session: string): { readonly stream: string; readonly subject: string } {
  let hash = 0x811c9dc5;
  for (const character of session) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  const number = hash % JOURNALS;
  return { stream: `SVC_JOURNAL_${number}`, subject: `svc.journal.${number}.${session}` };
}

/** The buckets of a fleet. */
export interface Buckets {
  readonly workers: KV;
  readonly sessions: KV;
  readonly control: KV;
  readonly tenants: KV;
}

/** Makes what is missing; what is there stays as it is. */
export async function ensureLayout(
  manager: JetStreamManager,
  options: LayoutOptions,
): Promise<Buckets> {
  const { lease, lineLength, replicas } = options;
  const nanoseconds = (milliseconds: number): number => milliseconds * 1e6;
  const buckets = new Kvm(manager.jetstream());
  const shared = { history: 1, replicas, storage: StorageType.File };
  const workers = await buckets.create(NAMES.workers, { ...shared, ttl: lease, markerTTL: 60_000 });
  const sessions = await buckets.create(NAMES.sessions, shared);
  const control = await buckets.create(NAMES.control, { ...shared, ttl: 600_000 });
  const tenants = await buckets.create(NAMES.tenants, shared);
  const queue = {
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_age: nanoseconds(TICKET_AGE),
    duplicate_window: nanoseconds(TICKET_AGE),
    num_replicas: replicas,
  };
  await ensureStream(manager, { ...queue, name: NAMES.tickets, subjects: ["svc.place.*"], max_msgs: lineLength });
  // Not more than there are sessions: a full line must not keep one from another worker.
  await ensureStream(manager, { ...queue, name: NAMES.displaced, subjects: ["svc.displaced.*"] });
  await Promise.all(Array.from({ length: JOURNALS }, (_, number) =>
    ensureStream(manager, {
      name: `SVC_JOURNAL_${number}`,
      subjects: [`svc.journal.${number}.*`],
      retention: RetentionPolicy.Limits,
      allow_direct: true,
      duplicate_window: nanoseconds(TICKET_AGE),
      num_replicas: replicas,
    })));
  return { workers, sessions, control, tenants };
}

/** Makes a stream where the broker says that it is missing; what is there stays as it is. */
export async function ensureStream(
  manager: JetStreamManager,
  config: Parameters<JetStreamManager["streams"]["add"]>[0],
): Promise<void> {
  try {
    await manager.streams.info(config.name);
  } catch (error) {
    // One without a leader does not answer either, and is there.
    if ((error as Error).name !== "StreamNotFoundError") throw error;
    await manager.streams.add(config);
  }
}
