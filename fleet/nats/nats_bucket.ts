/**
 * Buckets of JetStream with JSON values: records are validated before use, and a refusal by the broker is distinguished
 * from an answer that never came.
 *
 * @module
 */
import type { JsMsg } from "@nats-io/jetstream";
import type { KV, KvEntry } from "@nats-io/kv";
import {
  BrokerRefusal,
  type Bucket,
  type Entry,
  type SessionRecord,
  type Ticket,
  type WorkerRecord,
} from "../protocol/broker.ts";
import type { BucketChanges } from "./bucket_changes.ts";
import * as v from "valibot";
import type { TenantUse } from "../tenants/tenant.ts";
import { isQueueFull } from "./broker_trouble.ts";

/** Headers of a message that removes a key: what the client writes, and what the broker writes when one expires. */
const REMOVED = ["KV-Operation", "Nats-Marker-Reason"];

/** Values of the bucket `name`; what is not one of them is passed over. */
export function natsBucket<T>(kv: KV, name: string, isValue: Guard<T>, changes: BucketChanges): Bucket<T> {
  const read = (message: KvEntry | JsMsg, revision: number): Entry<T> | undefined => {
    const value = valueOf(message);
    return isValue(value) ? { value, revision } : undefined;
  };
  return {
    async get(key) {
      const entry = await kv.get(key);
      return entry?.operation === "PUT" ? read(entry, entry.revision) : undefined;
    },
    create: (key, value) => refusal(() => kv.create(key, JSON.stringify(value))),
    update: (key, value, revision) => refusal(() => kv.update(key, JSON.stringify(value), revision)),
    remove: (key, revision) => refusal(() => kv.purge(key, { previousSeq: revision })),
    watch: (onChange, signal) =>
      changes.follow(name, (key, message) => {
        const isThere = message !== undefined && !REMOVED.some((header) => message.headers?.has(header));
        onChange(key, isThere ? read(message, message.seq) : undefined);
      }, signal),
  };
}

function valueOf(message: KvEntry | JsMsg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}

/** Whether a value is one of a kind. */
export type Guard<T> = (value: unknown) => value is T;

const text = v.pipe(v.string(), v.maxLength(2000));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const workerSchema = v.object({
  epoch: text,
  url: v.pipe(text, v.url()),
  pool: text,
  fingerprint: text,
  slots: count,
  used: count,
  draining: v.boolean(),
  version: text,
});
const sessionSchema = v.object({
  pool: text,
  tenant: text,
  name: v.exactOptional(text),
  created_at: text,
  request: v.exactOptional(text),
  phase: v.picklist(["waiting", "ready", "parked", "failed"]),
  generation: count,
  since: v.number(),
  owner: v.exactOptional(v.object({ worker: text, epoch: text, fence: count, url: v.pipe(text, v.url()) })),
  reason: v.exactOptional(text),
  displaced: v.exactOptional(v.boolean()),
});
const ticketSchema = v.object({ session: text, generation: count });
const useSchema = v.object({
  stamp: text,
  opening: v.array(v.object({ id: text, at: v.number() })),
  submitting: v.array(v.object({ id: text, count, at: v.number() })),
  moves: v.number(),
});

/** Whether a value is what a tenant does. */
export const isTenantUse: Guard<TenantUse> = (value): value is TenantUse => v.is(useSchema, value);

/** Whether a value is the record of a worker. */
export const isWorker: Guard<WorkerRecord> = (value): value is WorkerRecord => v.is(workerSchema, value);

/** Whether a value is the record of a session. */
export const isSession: Guard<SessionRecord> = (value): value is SessionRecord => v.is(sessionSchema, value);

/** Whether a value is a ticket. */
export const isTicket: Guard<Ticket> = (value): value is Ticket => v.is(ticketSchema, value);

/** Codes of the broker where the newest message has another sequence than expected. */
const CONFLICT: readonly number[] = [10071, 10164];

/** Runs a write, and separates a refusal of the broker from an answer that never came. */
export async function refusal<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (typeof code === "number" && CONFLICT.includes(code)) throw new BrokerRefusal("conflict", message);
    if (isQueueFull(error)) throw new BrokerRefusal("full", message);
    throw error;
  }
}
