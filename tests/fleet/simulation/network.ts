import type { Bucket, ClusterBroker, ClusterClock, TakenTicket, TicketQueue } from "../../../fleet/protocol/broker.ts";

/** Times and faults of the connection between a role and the broker, in milliseconds and as chances. */
export interface Weather {
  readonly latency: () => number;
  /** After this long a call without an answer fails. */
  readonly timeout: number;
  readonly lostRequest: number;
  readonly lostAnswer: number;
  /** A message that arrives twice. */
  readonly doubled: number;
}

/** A role's process: it can stand still, be cut off and die. */
export class Process {
  isPaused = false;
  isCut = false;
  isDead = false;
  #waiting: (() => void)[] = [];

  /** Resolves while it runs; never once it is dead. */
  async runs(): Promise<void> {
    while (this.isPaused || this.isDead) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  resume(): void {
    this.isPaused = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** The time as it sees it. */
  clock(clock: ClusterClock): ClusterClock {
    return {
      now: () => clock.now(),
      wait: async (milliseconds, signal) => {
        await clock.wait(milliseconds, signal);
        await this.runs();
      },
    };
  }
}

/** The network between a process and the broker. */
export interface Network {
  readonly clock: ClusterClock;
  readonly random: () => number;
  readonly weather: () => Weather;
  /** Nobody gets an answer while it is away. */
  isAway: boolean;
}

/** A broker as a process sees it through a network with faults. */
export function throughNetwork(broker: ClusterBroker, process: Process, network: Network): ClusterBroker {
  const { clock, random } = network;
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    const weather = network.weather();
    await process.runs();
    const lost = async (): Promise<never> => {
      await clock.wait(weather.timeout);
      await process.runs();
      throw new Error("timeout");
    };
    await clock.wait(weather.latency());
    if (network.isAway || process.isCut || random() < weather.lostRequest) return await lost();
    let outcome: { value: T } | { error: unknown };
    try {
      outcome = { value: await work() };
    } catch (error) {
      outcome = { error };
    }
    if (random() < weather.doubled) await work().catch(() => {}); // the second one is refused, or changes nothing
    if (random() < weather.lostAnswer) return await lost();
    await clock.wait(weather.latency());
    if (process.isCut) return await lost();
    await process.runs();
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  };
  const bucket = <T>(inner: Bucket<T>): Bucket<T> => ({
    get: (key) => call(() => inner.get(key)),
    create: (key, value) => call(() => inner.create(key, value)),
    update: (key, value, revision) => call(() => inner.update(key, value, revision)),
    remove: (key, revision) => call(() => inner.remove(key, revision)),
    watch: async (onChange, signal) => {
      let tail: Promise<void> = Promise.resolve();
      let arrives = 0; // news are under way at the same time, and none overtakes another
      await inner.watch((key, entry) => {
        const arrival = arrives = Math.max(arrives, clock.now() + network.weather().latency());
        tail = tail.then(async () => {
          if (arrival > clock.now()) await clock.wait(arrival - clock.now());
          while (process.isCut || network.isAway) await clock.wait(100);
          await process.runs();
          if (!signal.aborted) onChange(key, entry);
        });
      }, signal);
      await tail;
    },
  });
  const queue = (inner: TicketQueue): TicketQueue => ({
    publish: (pool, ticket) => call(() => inner.publish(pool, ticket)),
    async take(pool, timeout, signal): Promise<TakenTicket | undefined> {
      if (network.isAway || process.isCut) await call(() => Promise.resolve());
      const taken = await inner.take(pool, timeout, signal);
      await process.runs();
      if (!taken || network.isAway || process.isCut || random() < network.weather().lostAnswer) return undefined;
      return {
        ticket: taken.ticket,
        deliveries: taken.deliveries,
        ack: () => call(() => taken.ack()),
        nak: (delay) => call(() => taken.nak(delay)),
        working: () => call(() => taken.working()),
      };
    },
  });
  const { journals, tickets, displaced } = broker;
  return {
    lease: broker.lease,
    lineLength: broker.lineLength,
    ackWait: broker.ackWait,
    workers: bucket(broker.workers),
    sessions: bucket(broker.sessions),
    journals: {
      append: (session, data, expected, id) => call(() => journals.append(session, data, expected, id)),
      last: (session) => call(() => journals.last(session)),
      read: (session) => call(() => journals.read(session)),
      trim: (session, before) => call(() => journals.trim(session, before)),
      purge: (session) => call(() => journals.purge(session)),
    },
    tickets: queue(tickets),
    displaced: queue(displaced),
  };
}
