/**
 * A bucket of JetStream with values as JSON.
 *
 * @module
 */
import type { KV, KvEntry } from "@nats-io/kv";
import type { Bucket, Entry } from "../protocol/engine.ts";
import { type Guard, refusal } from "./nats_values.ts";

/** Milliseconds between two attempts to watch. */
const AGAIN = 500;

/** Values of a bucket; what is not one of them is passed over. */
export function natsBucket<T>(kv: KV, isValue: Guard<T>, isClosed: () => boolean): Bucket<T> {
  const read = (entry: KvEntry | null): Entry<T> | undefined => {
    if (!entry || entry.operation !== "PUT") return undefined;
    const value = valueOf(entry);
    return isValue(value) ? { value, revision: entry.revision } : undefined;
  };
  return {
    get: async (key) => read(await kv.get(key)),
    create: (key, value) => refusal(() => kv.create(key, JSON.stringify(value))),
    update: (key, value, revision) => refusal(() => kv.update(key, JSON.stringify(value), revision)),
    remove: (key, revision) => refusal(() => kv.purge(key, { previousSeq: revision })),
    watch: (onChange, signal) =>
      new Promise((resolve, reject) => {
        const follow = async (): Promise<void> => {
          for (let isFirst = true; !signal.aborted && !isClosed(); isFirst = false) {
            try {
              const iterator = await kv.watch();
              const { values } = await kv.status();
              if (values === 0) resolve();
              const stop = (): void => void iterator.stop();
              signal.addEventListener("abort", stop, { once: true });
              if (signal.aborted) stop();
              for await (const entry of iterator) {
                onChange(entry.key, read(entry));
                if (entry.isUpdate || entry.delta === 0) resolve();
              }
              signal.removeEventListener("abort", stop);
            } catch (error) {
              if (isFirst) return reject(error);
            }
            if (!signal.aborted && !isClosed()) await new Promise((again) => setTimeout(again, AGAIN));
          }
        };
        void follow();
      }),
  };
}

function valueOf(entry: KvEntry): unknown {
  try {
    return entry.json();
  } catch {
    return undefined;
  }
}
