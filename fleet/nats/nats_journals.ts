/**
 * Journals of sessions as subjects of JetStream streams.
 *
 * @module
 */
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { JournalEntry, JournalStore } from "../protocol/broker.ts";
import { journalOf } from "./layout.ts";
import { refusal } from "./nats_values.ts";

/** Entries that are read at a time. */
const BATCH = 200;

/** What the broker says where there is no such entry. */
const NOT_FOUND = 404;

interface Stored {
  readonly seq: number;
  readonly data: Uint8Array;
  readonly header?: { get(name: string): string };
}

/** The journals of all sessions. */
export function natsJournals(client: JetStreamClient, manager: JetStreamManager): JournalStore {
  return {
    async append(session, data, expected, id) {
      const { subject } = journalOf(session);
      const options = { msgID: id, expect: { lastSubjectSequence: expected } };
      return (await refusal(() => client.publish(subject, data, options))).seq;
    },
    async last(session) {
      const { stream, subject } = journalOf(session);
      // From the leader: a replica may be behind.
      const found = await manager.streams.getMessage(stream, { last_by_subj: subject });
      return found ? entryOf(found) : undefined;
    },
    async read(session) {
      const { stream, subject } = journalOf(session);
      const entries: JournalEntry[] = [];
      for (let next = 1, count = BATCH; count === BATCH; next = (entries.at(-1)?.sequence ?? 0) + 1) {
        count = 0;
        try {
          const batch = await manager.direct.getBatch(stream, { seq: next, next_by_subj: subject, batch: BATCH });
          for await (const message of batch) {
            entries.push(entryOf(message));
            count++;
          }
        } catch (error) {
          if ((error as { code?: unknown }).code !== NOT_FOUND) throw error; // there is none, or no more
        }
      }
      return entries;
    },
    async trim(session, before) {
      const { stream, subject } = journalOf(session);
      await manager.streams.purge(stream, { filter: subject, seq: before });
    },
    async purge(session) {
      const { stream, subject } = journalOf(session);
      await manager.streams.purge(stream, { filter: subject });
    },
  };
}

function entryOf({ seq, data, header }: Stored): JournalEntry {
  return { sequence: seq, id: header?.get("Nats-Msg-Id") ?? "", data };
}
