/**
 * Blobs in the object store of the engine: for small worlds.
 *
 * @module
 */
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { ObjectStore } from "@nats-io/obj";
import * as v from "valibot";
import { EngineRefusal } from "../protocol/engine.ts";
import type { CollectableBlobs, StoredBlob } from "../blobs/blob_store.ts";
import type { NatsClient } from "./client_packages.ts";
import { refusal } from "./nats_values.ts";

/** What an object store is reached with. */
export interface NatsBlobsOptions {
  readonly client: NatsClient;
  readonly store: ObjectStore;
  readonly bucket: string;
  readonly stream: JetStreamClient;
  readonly manager: JetStreamManager;
}

/** Entries that are read at a time, and what the engine says where there is none. */
const BATCH = 500;
const NOT_FOUND = 404;

const entrySchema = v.looseObject({
  name: v.string(),
  nuid: v.string(),
  size: v.pipe(v.number(), v.integer(), v.minValue(0)),
  deleted: v.optional(v.boolean()),
});

/** The entry of an object: its parts are messages of their own, below its `nuid`. */
interface ObjectEntry {
  readonly info: v.InferOutput<typeof entrySchema>;
  readonly sequence: number;
  readonly written: number;
}

/** Blobs of an object store. */
export function natsBlobs({ client, store, bucket, stream, manager }: NatsBlobsOptions): CollectableBlobs {
  const from = `OBJ_${bucket}`;
  const subjectOf = (name: string): string => `$O.${bucket}.M.${btoa(name).replaceAll("+", "-").replaceAll("/", "_")}`;
  const entryOf = ({ seq, time, data }: { seq: number; time: Date; data: Uint8Array }): ObjectEntry | undefined => {
    try {
      const info = v.parse(entrySchema, JSON.parse(new TextDecoder().decode(data)));
      return { info, sequence: seq, written: time.getTime() };
    } catch {
      return undefined; // not one of ours
    }
  };
  const entry = async (name: string): Promise<ObjectEntry | undefined> => {
    // From the leader: a replica may be behind.
    const found = await manager.streams.getMessage(from, { last_by_subj: subjectOf(name) });
    return found ? entryOf(found) : undefined;
  };
  /** Writes an entry in the place of one that nobody has changed; returns its sequence, or undefined. */
  const replace = async ({ info, sequence }: ObjectEntry): Promise<number | undefined> => {
    const headers = client.transport.headers();
    headers.set("Nats-Rollup", "sub"); // it takes the place of all before it
    const options = { expect: { lastSubjectSequence: sequence }, headers };
    try {
      return (await refusal(() => stream.publish(subjectOf(info.name), JSON.stringify(info), options))).seq;
    } catch (error) {
      if (error instanceof EngineRefusal) return undefined;
      throw error;
    }
  };
  /** Removes what is left of an object that was deleted. */
  const clean = async ({ name, nuid }: ObjectEntry["info"], sequence: number): Promise<void> => {
    await manager.streams.purge(from, { filter: `$O.${bucket}.C.${nuid}` });
    await manager.streams.purge(from, { filter: subjectOf(name), seq: sequence + 1 });
  };
  const stored = ({ info, sequence, written }: ObjectEntry): StoredBlob => {
    return { sha256: info.name, size: info.size, written, version: String(sequence) };
  };
  return {
    async put(sha256, bytes) {
      for (;;) {
        const known = await entry(sha256).catch(() => undefined);
        if (!known || known.info.deleted || known.info.size !== bytes.length) break;
        if (await replace(known) !== undefined) return;
      }
      await store.putBlob({ name: sha256 }, bytes);
    },
    async get(sha256) {
      const known = await store.info(sha256);
      return known && !known.deleted ? await store.getBlob(sha256) ?? undefined : undefined;
    },
    async *list() {
      for (let seq = 1, count = BATCH; count === BATCH;) {
        count = 0;
        const found: ObjectEntry[] = [];
        try {
          const next = { seq, next_by_subj: `$O.${bucket}.M.>`, batch: BATCH };
          for await (const message of await manager.direct.getBatch(from, next)) {
            count++;
            seq = message.seq + 1;
            const each = entryOf(message);
            if (each) found.push(each);
          }
        } catch (error) {
          if ((error as { code?: unknown }).code !== NOT_FOUND) throw error; // there is none, or no more
        }
        for (const each of found) {
          if (each.info.deleted) await clean(each.info, each.sequence);
          else yield stored(each);
        }
      }
    },
    async find(sha256) {
      const known = await entry(sha256);
      return known && !known.info.deleted ? stored(known) : undefined;
    },
    async remove({ sha256, version }) {
      const known = await entry(sha256);
      if (!known || known.info.deleted || String(known.sequence) !== version) return false;
      const sequence = await replace({ ...known, info: { ...known.info, deleted: true } });
      if (sequence === undefined) return false;
      await clean(known.info, sequence);
      return true;
    },
  };
}
