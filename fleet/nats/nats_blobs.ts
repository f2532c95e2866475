/**
 * Blobs in the object store of the broker: for small worlds.
 *
 * They have the layout of the NATS client, which is not used: when it gets no answer to the last message of an object,
 * it removes the parts of an object that exists by then, and a reader of an object without parts waits indefinitely.
 *
 * @module
 */
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import { headers as messageHeaders } from "@nats-io/transport-node";
import * as v from "valibot";
import { BrokerRefusal } from "../protocol/broker.ts";
import type { CollectableBlobs, StoredBlob } from "../files/blob_store.ts";
import { refusal } from "./nats_bucket.ts";

/** What an object store is reached with. */
interface NatsBlobsOptions {
  readonly bucket: string;
  readonly stream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Milliseconds since 1970; by the clock of this machine by default. */
  readonly now?: (() => number) | undefined;
}

/** Entries, and parts of a blob, that are read at a time. */
const BATCH = 500;
const PARTS = 32;

/** What the broker says where it has no such message. */
const NOT_FOUND = 404;

/** Bytes of a part. */
const PART = 128 * 1024;

/** Milliseconds that the broker may take for a message: many are in flight at once. */
const TIMEOUT = 2000;

/** How often a message is sent, and an object without its parts is read: a replica may be behind. Milliseconds between. */
const TRIES = 5;
const AGAIN = 100;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const entrySchema = v.looseObject({
  name: v.string(),
  nuid: v.string(),
  size: count,
  chunks: count,
  digest: v.string(),
  deleted: v.optional(v.boolean()),
});

/** A message of the broker. */
interface Stored {
  readonly seq: number;
  readonly time: Date;
  readonly data: Uint8Array;
}

/** The entry of an object: its parts are messages of their own, below its `nuid`. */
interface ObjectEntry {
  readonly info: v.InferOutput<typeof entrySchema>;
  readonly sequence: number;
  readonly written: number;
}

/** Blobs of an object store. */
export function natsBlobs({ bucket, stream, manager, now = Date.now }: NatsBlobsOptions): CollectableBlobs {
  const from = `OBJ_${bucket}`;
  const subjectOf = (name: string): string => `$O.${bucket}.M.${btoa(name).replaceAll("+", "-").replaceAll("/", "_")}`;
  const partsOf = (nuid: string): string => `$O.${bucket}.C.${nuid}`;
  const entryOf = ({ seq, time, data }: Stored): ObjectEntry | undefined => {
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
  /**
   * Writes an entry in place of an unchanged one, or of none.
   *
   * @returns its sequence; undefined when another one was faster.
   */
  const replace = async (info: ObjectEntry["info"], before: number): Promise<number | undefined> => {
    const headers = messageHeaders();
    headers.set("Nats-Rollup", "sub"); // it takes the place of all before it
    const expect = { lastSubjectSequence: before };
    const subject = subjectOf(info.name);
    try {
      const publish = () => stream.publish(subject, JSON.stringify(info), { expect, headers, timeout: TIMEOUT });
      return (await refusal(publish)).seq;
    } catch (error) {
      if (error instanceof BrokerRefusal) return undefined;
      throw error;
    }
  };
  /** Sends a message until the broker has it; sent twice, it is there once. */
  const publish = async (subject: string, data: Uint8Array, msgID: string): Promise<void> => {
    for (let tries = 1;; tries++) {
      try {
        await stream.publish(subject, data, { msgID, timeout: TIMEOUT });
        return;
      } catch (error) {
        if (tries === TRIES) throw error;
        await pause();
      }
    }
  };
  /** Messages of some subjects from a sequence on, at most `batch`; from any replica. */
  const read = async function* (subject: string, seq: number, batch: number): AsyncGenerator<Stored> {
    try {
      yield* await manager.direct.getBatch(from, { seq, next_by_subj: subject, batch });
    } catch (error) {
      if ((error as { code?: unknown }).code !== NOT_FOUND) throw error; // there is none, or no more
    }
  };
  const hasParts = async ({ nuid, chunks }: ObjectEntry["info"]): Promise<boolean> => {
    const filter = partsOf(nuid);
    const { state } = await manager.streams.info(from, { subjects_filter: filter });
    return (state.subjects?.[filter] ?? 0) === chunks;
  };
  /** The bytes of an object; undefined where parts are missing or damaged. */
  const partsRead = async ({ nuid, chunks, size, digest }: ObjectEntry["info"]): Promise<Uint8Array | undefined> => {
    const bytes = new Uint8Array(size);
    let at = 0;
    let seq = 1;
    for (let left = chunks, count = 1; left > 0 && count > 0; left -= count) {
      count = 0;
      for await (const part of read(partsOf(nuid), seq, Math.min(left, PARTS))) {
        if (at + part.data.length > size) return undefined;
        bytes.set(part.data, at);
        at += part.data.length;
        seq = part.seq + 1;
        count++;
      }
    }
    return at === size && await digestOf(bytes) === digest ? bytes : undefined;
  };
  /** Writes the parts of an object, and then its entry; undefined when another one has written an entry meanwhile. */
  const write = async (name: string, bytes: Uint8Array, before: number): Promise<number | undefined> => {
    const nuid = crypto.randomUUID().replaceAll("-", "");
    const chunks = Math.ceil(bytes.length / PART);
    // One after another: they are read in the order in which they came, of which one may have been sent again.
    for (let i = 0; i < chunks; i++) {
      await publish(partsOf(nuid), bytes.subarray(i * PART, (i + 1) * PART), `${nuid}/${i}`);
    }
    const info = { name, bucket, nuid, size: bytes.length, chunks, digest: await digestOf(bytes), mtime: new Date() };
    for (let tries = 1;; tries++) {
      let failure: unknown;
      const failed = (error: unknown): undefined => void (failure = error);
      const sequence = await replace(info, before).catch(failed);
      if (sequence !== undefined) return sequence;
      const found = await entry(name).catch(failed);
      if (found?.info.nuid === nuid) return found.sequence; // it was there, and its answer was not
      if (failure === undefined && (found?.sequence ?? 0) !== before) {
        await manager.streams.purge(from, { filter: partsOf(nuid) }).catch(() => {});
        return undefined;
      }
      if (tries >= TRIES) throw failure ?? new Error(`Cannot write blob ${name}: the broker refuses its entry`);
      await pause();
    }
  };
  /** Removes what is left of an object that was deleted. */
  const clean = async ({ name, nuid }: ObjectEntry["info"], sequence: number): Promise<void> => {
    await manager.streams.purge(from, { filter: partsOf(nuid) });
    await manager.streams.purge(from, { filter: subjectOf(name), seq: sequence + 1 });
  };
  const stored = ({ info, sequence, written }: ObjectEntry): StoredBlob => {
    return { sha256: info.name, size: info.size, written, version: String(sequence) };
  };
  return {
    async put(sha256, bytes) {
      for (;;) {
        const known = await entry(sha256);
        const isThere = known && !known.info.deleted && known.info.size === bytes.length && await hasParts(known.info);
        const done = isThere
          ? await replace(known.info, known.sequence)
          : await write(sha256, bytes, known?.sequence ?? 0);
        if (done === undefined) continue; // another one was faster
        if (known && !isThere) await manager.streams.purge(from, { filter: partsOf(known.info.nuid) }).catch(() => {});
        return;
      }
    },
    async get(sha256) {
      let failure: unknown;
      for (let tries = 1; tries <= TRIES; tries++) {
        if (tries > 1) await pause();
        try {
          failure = undefined;
          const known = await entry(sha256);
          if (!known || known.info.deleted) return undefined;
          const bytes = await partsRead(known.info);
          if (bytes) return bytes;
        } catch (error) {
          failure = error; // a world is not abandoned for one late answer
        }
      }
      if (failure !== undefined) throw failure;
      return undefined;
    },
    async *list() {
      const parts = await UnnamedParts.find(manager, from, partsOf("*"));
      for (let seq = 1, count = BATCH; count === BATCH;) {
        count = 0;
        const found: ObjectEntry[] = [];
        for await (const message of read(`$O.${bucket}.M.>`, seq, BATCH)) {
          count++;
          seq = message.seq + 1;
          const each = entryOf(message);
          if (each) found.push(each);
        }
        for (const each of found) {
          parts.named(partsOf(each.info.nuid));
          if (each.info.deleted) await clean(each.info, each.sequence);
          else yield stored(each);
        }
      }
      await parts.remove(now());
    },
    async find(sha256) {
      const known = await entry(sha256);
      return known && !known.info.deleted ? stored(known) : undefined;
    },
    async remove({ sha256, version }) {
      const known = await entry(sha256);
      if (!known || known.info.deleted || String(known.sequence) !== version) return false;
      const sequence = await replace({ ...known.info, deleted: true }, known.sequence);
      if (sequence === undefined) return false;
      await clean(known.info, sequence);
      return true;
    },
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, AGAIN));
}

/** What the object store calls the digest of an object. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return `SHA-256=${btoa(String.fromCharCode(...hash)).replaceAll("+", "-").replaceAll("/", "_")}`;
}

/** Milliseconds after its last part after which no writer will complete an object. */
const GRACE = 60 * 60_000;

/** The parts of a store as they were at one moment, less those that are named afterwards. */
class UnnamedParts {
  readonly #manager: JetStreamManager;
  readonly #stream: string;
  readonly #subjects: Set<string>;

  private constructor(manager: JetStreamManager, stream: string, subjects: Set<string>) {
    this.#manager = manager;
    this.#stream = stream;
    this.#subjects = subjects;
  }

  /** Finds the parts of all objects; read their names after that. */
  static async find(manager: JetStreamManager, stream: string, filter: string): Promise<UnnamedParts> {
    const { state } = await manager.streams.info(stream, { subjects_filter: filter });
    return new UnnamedParts(manager, stream, new Set(Object.keys(state.subjects ?? {})));
  }

  /** An entry has these parts. */
  named(subject: string): void {
    this.#subjects.delete(subject);
  }

  /** Removes those that no entry has, but those that are still being written. */
  async remove(now: number): Promise<void> {
    for (const subject of this.#subjects) {
      const last = await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject });
      if (last && last.time.getTime() < now - GRACE) {
        await this.#manager.streams.purge(this.#stream, { filter: subject, seq: last.seq + 1 });
      }
    }
  }
}
