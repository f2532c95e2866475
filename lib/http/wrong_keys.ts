/**
 * Slows down clients that try out keys.
 *
 * @module
 */
/** Wrong keys are forgotten this long after the last one, in milliseconds. */
const MEMORY = 60_000;

/** Delay after the first wrong key; it doubles with every further one. */
const FIRST_DELAY = 100;

/** The longest delay. */
const LONGEST_DELAY = 2_000;

/** Answers of one client that wait at the same time, and of all. */
const WAITING = { client: 16, all: 256 } as const;

/** Clients that are remembered. */
const MAX_CLIENTS = 10_000;

/** Time, replaced in tests. */
export interface WrongKeyClock {
  /** Milliseconds of a clock that is never set. */
  now(): number;
  /** Resolves after some milliseconds, or when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

interface WrongKeyCount {
  count: number;
  waiting: number;
  last: number;
}

/**
 * Delays the answers to wrong keys, the longer the more of them one client has sent. Only so many answers are
 * delayed; beyond that, clients get 401 with `Retry-After` at once. A flood of wrong keys so holds few connections, and a
 * right key never waits.
 */
export class WrongKeys {
  readonly #clock: WrongKeyClock;
  /** By client, the one whose wrong key is oldest first. */
  readonly #clients = new Map<string, WrongKeyCount>();
  #waiting = 0;

  constructor(clock: WrongKeyClock = realClock) {
    this.#clock = clock;
  }

  /** Number of clients remembered. */
  get size(): number {
    return this.#clients.size;
  }

  /**
   * Counts a wrong key and waits.
   *
   * @param peer Address of the client.
   * @param signal Ends the wait when the client has disconnected.
   * @returns Seconds after which the client may try again when too many answers wait already, else 0.
   */
  async delay(peer: string, signal: AbortSignal): Promise<number> {
    const client = this.#count(clientAddress(peer));
    const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(client.count - 1, 10));
    if (client.waiting >= WAITING.client || this.#waiting >= WAITING.all) return LONGEST_DELAY / 1000;
    client.waiting++;
    this.#waiting++;
    try {
      await this.#clock.wait(delay, signal);
    } finally {
      client.waiting--;
      this.#waiting--;
    }
    return 0;
  }

  #count(address: string): WrongKeyCount {
    const now = this.#clock.now();
    for (const [key, { last }] of this.#clients) {
      if (now - last < MEMORY && this.#clients.size < MAX_CLIENTS) break;
      this.#clients.delete(key);
    }
    const client = this.#clients.get(address) ?? { count: 0, waiting: 0, last: now };
    client.count++;
    client.last = now;
    this.#clients.delete(address);
    this.#clients.set(address, client);
    return client;
  }
}

const realClock: WrongKeyClock = {
  now: () => performance.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener("abort", end);
    }),
};

/**
 * The address under which a client is counted: an IPv4 address, also when it is mapped into IPv6, or the first 64 bits
 * of an IPv6 address, all of whose other bits one client can choose.
 */
export function clientAddress(peer: string): string {
  const address = peer.toLowerCase().replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (mapped) return mapped[1];
  if (!address.includes(":")) return address;
  const [head, tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
  return `${groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
