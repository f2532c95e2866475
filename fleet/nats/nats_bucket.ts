/**
 * A bucket of JetStream with values as JSON.
 *
 * @module
 */
import type { JsMsg } from "@nats-io/jetstream";
import type { KV, KvEntry } from "@nats-io/kv";
import type { Bucket, Entry } from "../protocol/broker.ts";
import type { BucketChanges } from "./bucket_changes.ts";
import { type Guard, refusal } from "./nats_values.ts";

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
