/**
 * Batch rollouts in JetStream: their records in a bucket, their tickets in a work queue, their files in a store.
 *
 * @module
 */
import {
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Objm } from "@nats-io/obj";
import * as v from "valibot";
import type { CollectableBlobs } from "../files/blob_store.ts";
import type { Bucket, TicketQueue } from "../protocol/broker.ts";
import type { RolloutRecord } from "../protocol/rollout_records.ts";
import type { BucketChanges } from "./bucket_changes.ts";
import { ensureStream } from "./layout.ts";
import { natsBlobs } from "./nats_blobs.ts";
import { type Guard, natsBucket } from "./nats_bucket.ts";
import { natsTickets } from "./nats_streams.ts";

/** Rollouts of a fleet. */
export interface NatsBatches {
  readonly rollouts: Bucket<RolloutRecord>;
  readonly tickets: TicketQueue;
  /** Sources and results. */
  readonly files: CollectableBlobs;
  /**
   * Some rollouts of a tenant, or of one of its datasets, in the order of their last changes: one that changes meanwhile
   * comes twice, one that has ended once.
   *
   * @param from 1, then the `next` of the page before.
   */
  page(from: number, tenant: string, dataset?: string): Promise<RolloutPage>;
  /** More rollouts than these are in no dataset: counted at once, without looking at them. */
  most(): Promise<number>;
  /**
   * Removes the rollouts of a dataset, in any phase: a worker that runs one cannot write its result, and its ticket
   * finds nothing to do.
   */
  clear(tenant: string, dataset: string): Promise<void>;
  /** The rollouts of all tenants, one after another; one that changes meanwhile may come twice. */
  all(): AsyncIterable<RolloutRecord>;
}

/** A part of a long list. */
export interface RolloutPage {
  readonly records: readonly RolloutRecord[];
  /** Where the next one begins; what changes later is behind it. */
  readonly next: number;
  /** Whether there is no next one yet. */
  readonly isLast: boolean;
}

/** What the streams of rollouts are set up and accessed with. */
export interface NatsBatchesOptions {
  /** Sets them up, which may take a while. */
  readonly manager: JetStreamManager;
  readonly quick: JetStreamManager;
  readonly stream: JetStreamClient;
  readonly replicas: number;
  readonly ackWait: number;
  readonly changes: BucketChanges;
}

const BUCKET = "svc_rollouts";
const FILES = "svc_rollout_files";
const STREAM = "SVC_ROLLOUTS";

/** Rollouts that may wait in all pools together. */
const MOST = 1_000_000;

/** Records that are read at a time, and what the broker says where there is none. */
const BATCH = 500;
const NOT_FOUND = 404;

const text = v.pipe(v.string(), v.maxLength(2000));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const file = v.object({ sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)), size: count });
const recordSchema = v.object({
  tenant: text,
  dataset: text,
  item: text,
  pool: text,
  spec: v.string(),
  phase: v.picklist(["waiting", "running", "done", "failed"]),
  generation: v.exactOptional(count),
  attempt: count,
  owner: v.exactOptional(v.object({ worker: text, epoch: text, claim: text })),
  result: v.exactOptional(v.object({
    video: file,
    frame: file,
    pixels_sha256: text,
    pixel_frame_count: count,
    seconds: v.number(),
  })),
  reason: v.exactOptional(text),
});
const isRollout: Guard<RolloutRecord> = (value): value is RolloutRecord => v.is(recordSchema, value);

/** Opens the rollouts of a fleet; makes what is missing. */
export async function natsBatches(options: NatsBatchesOptions): Promise<NatsBatches> {
  const { manager, quick, stream, replicas, ackWait, changes } = options;
  await new Kvm(manager.jetstream()).create(BUCKET, { history: 1, replicas, storage: StorageType.File });
  await new Objm(manager.jetstream()).create(FILES, { replicas });
  await ensureStream(manager, {
    name: STREAM,
    subjects: ["svc.rollout.*"],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_msgs: MOST,
    duplicate_window: 120e9,
    num_replicas: replicas,
  });
  const kv = await new Kvm(stream).open(BUCKET);
  const page = async (from: number, tenant: string, dataset = "*"): Promise<RolloutPage> => {
    const next_by_subj = `$KV.${BUCKET}.${tenant}.${dataset}.*`;
    const records: RolloutRecord[] = [];
    let found = 0;
    let next = from;
    try {
      const batch = await quick.direct.getBatch(`KV_${BUCKET}`, { seq: from, next_by_subj, batch: BATCH });
      for await (const message of batch) {
        found++;
        next = message.seq + 1;
        // A removed one is an empty message.
        const value: unknown = message.data.length === 0 ? undefined : message.json();
        if (isRollout(value)) records.push(value);
      }
    } catch (error) {
      if ((error as { code?: unknown }).code !== NOT_FOUND) throw error; // there is none, or no more
    }
    return { records, next, isLast: found < BATCH };
  };
  return {
    rollouts: natsBucket(kv, BUCKET, isRollout, changes),
    tickets: natsTickets(stream, quick, {
      ackWait,
      stream: STREAM,
      subject: "svc.rollout",
    }),
    files: natsBlobs({ bucket: FILES, stream, manager: quick }),
    page,
    most: async () => (await kv.status()).values,
    async clear(tenant, dataset) {
      await manager.streams.purge(`KV_${BUCKET}`, { filter: `$KV.${BUCKET}.${tenant}.${dataset}.*` });
    },
    async *all() {
      for (let next = 1, isLast = false; !isLast;) {
        const found = await page(next, "*");
        yield* found.records;
        ({ next, isLast } = found);
      }
    },
  };
}
