/**
 * Streams of JetStream: the queues of sessions and rollouts as work queues, the journals of sessions as subjects.
 *
 * @module
 */
import { AckPolicy, type Consumer, type JetStreamClient, type JetStreamManager } from "@nats-io/jetstream";
import type { JournalEntry, JournalStore, TakenTicket, TicketQueue } from "../protocol/broker.ts";
import { journalOf, NAMES } from "./layout.ts";
import { isTicket, refusal } from "./nats_bucket.ts";

/** Shortest time that the broker lets a consumer wait, in milliseconds. */
const SHORTEST = 1000;

/** The tickets of all pools. */
export function natsTickets(
  client: JetStreamClient,
  manager: JetStreamManager,
  { ackWait, stream = NAMES.tickets, subject = "svc.place" }: {
    readonly ackWait: number;
    /** The work queue, that of sessions by default, and what its subjects begin with. */
    readonly stream?: string;
    readonly subject?: string;
  },
): TicketQueue {
  const consumers = new Map<string, Promise<Consumer>>();
  const open = async (pool: string): Promise<Consumer> => {
    const name = `pool-${pool}`;
    await manager.consumers.add(stream, {
      durable_name: name,
      filter_subject: `${subject}.${pool}`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ackWait * 1e6,
      max_ack_pending: 10_000,
    });
    return await client.consumers.get(stream, name);
  };
  const consumer = (pool: string): Promise<Consumer> => {
    const known = consumers.get(pool) ?? open(pool);
    consumers.set(pool, known);
    known.catch(() => consumers.delete(pool));
    return known;
  };
  return {
    async publish(pool, ticket) {
      const msgID = `${ticket.session}/${ticket.generation}`;
      await refusal(() => client.publish(`${subject}.${pool}`, JSON.stringify(ticket), { msgID }));
    },
    async take(pool, timeout, signal): Promise<TakenTicket | undefined> {
      const source = await consumer(pool);
      if (signal.aborted) return undefined;
      const message = await source.next({ expires: Math.max(SHORTEST, timeout) }).catch((error) => {
        consumers.delete(pool); // the broker may have lost it
        throw error;
      });
      if (!message) return undefined;
      let ticket: unknown;
      try {
        ticket = message.json();
      } catch {
        ticket = undefined;
      }
      if (!isTicket(ticket)) {
        message.term();
        return undefined;
      }
      return {
        ticket,
        deliveries: message.info.deliveryCount,
        ack: async () => void await message.ackAck(),
        nak: async (delay) => await Promise.resolve(message.nak(delay)),
        working: async () => await Promise.resolve(message.working()),
      };
    },
  };
}

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
