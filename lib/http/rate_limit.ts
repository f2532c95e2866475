/**
 * How often one client may ask.
 *
 * @module
 */
import { SvcError } from "../errors/svc_error.ts";

const WINDOW = 60_000;

/** What a client has left. */
export interface RateAllowance {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until one more request may come; 0 when one may now. */
  readonly nextIn: number;
  /** Milliseconds until all of them may come again. */
  readonly fullIn: number;
}

/**
 * Counts the requests of each address within the last minute. Those that are refused do not count: whoever waits as
 * long as it was told may ask again.
 */
export class RateLimit {
  /** Requests of one address within any minute, 1 or more. */
  readonly perMinute: number;
  readonly #now: () => number;
  /** Times of requests by address, oldest first. */
  readonly #taken = new Map<string, number[]>();
  #sweptAt: number;

  /** @param now Milliseconds. */
  constructor(perMinute: number, now: () => number) {
    this.perMinute = perMinute;
    this.#now = now;
    this.#sweptAt = now();
  }

  /** Counts a request, if it may pass. */
  take(address: string): RateAllowance {
    const now = this.#now();
    this.#sweep(now);
    const key = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
    const times = this.#taken.get(key) ?? [];
    let expired = 0;
    while (expired < times.length && now - times[expired] >= WINDOW) expired++;
    times.splice(0, expired);
    const allowed = times.length < this.perMinute;
    if (allowed) times.push(now);
    this.#taken.set(key, times);
    const remaining = this.perMinute - times.length;
    return {
      allowed,
      remaining,
      nextIn: remaining > 0 ? 0 : times[0] + WINDOW - now,
      fullIn: times[times.length - 1] + WINDOW - now,
    };
  }

  /** Addresses that are remembered. */
  get size(): number {
    return this.#taken.size;
  }

  /** Forgets those who have not asked for a minute, once a minute. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < WINDOW) return;
    this.#sweptAt = now;
    for (const [key, times] of this.#taken) {
      if (now - times[times.length - 1] >= WINDOW) this.#taken.delete(key);
    }
  }
}

/**
 * Counts a request and tells of it in the headers of its answer.
 *
 * @throws {SvcError} 429 with `Retry-After`.
 */
export function takeRate(limit: RateLimit, address: string, headers: Headers): void {
  const { allowed, remaining, nextIn, fullIn } = limit.take(address);
  headers.set("x-ratelimit-limit-requests", String(limit.perMinute));
  headers.set("x-ratelimit-remaining-requests", String(remaining));
  headers.set("x-ratelimit-reset-requests", `${Math.ceil(fullIn / 1000)}s`);
  if (allowed) return;
  const seconds = Math.ceil(nextIn / 1000);
  const message = `Cannot take the request: ${limit.perMinute} have come from this address within a minute, which is ` +
    `the most; try again in ${seconds} s`;
  throw new SvcError("rate_limit_exceeded", message, { headers: { "retry-after": String(seconds) } });
}
