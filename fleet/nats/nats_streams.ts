/**
 * The line of sessions as a work queue of JetStream.
 *
 * @module
 */
import type { Consumer, JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { TakenTicket, TicketQueue } from "../protocol/broker.ts";
import { NAMES } from "./layout.ts";
import { isTicket, refusal } from "./nats_values.ts";

/** Shortest time that the broker lets a consumer wait, in milliseconds. */
const SHORTEST = 1000;

/** The tickets of all pools. */
export function natsTickets(
  client: JetStreamClient,
  manager: JetStreamManager,
  { ackWait, explicit, stream = NAMES.tickets, subject = "svc.place" }: {
    readonly ackWait: number;
    readonly explicit: "explicit";
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
      ack_policy: explicit,
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
