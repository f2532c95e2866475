/**
 * How many requests one client may send.
 *
 * @module
 */
import { SvcError } from "../errors/svc_error.ts";
import { clientAddress } from "./wrong_keys.ts";

const WINDOW = 60_000;

/** What a client has left. */
export interface RateAllowance {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the next request is allowed; 0 when it is allowed now. */
  readonly nextIn: number;
  /** Milliseconds until the whole limit is available again. */
  readonly fullIn: number;
}

/**
 * Counts the requests of each address within the last minute. Refused requests do not count, so a client that waits for
 * `Retry-After` is admitted.
 */
export class RateLimit {
  /** Maximum number of requests of one address within any minute, at least 1. */
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

  /** Counts a request if it is allowed. */
  take(address: string): RateAllowance {
    const now = this.#now();
    this.#sweep(now);
    const key = clientAddress(address);
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

  /** Number of addresses remembered. */
  get size(): number {
    return this.#taken.size;
  }

  /** Forgets addresses without a request within the last minute, once a minute. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < WINDOW) return;
    this.#sweptAt = now;
    for (const [key, times] of this.#taken) {
      if (now - times[times.length - 1] >= WINDOW) this.#taken.delete(key);
    }
  }
}

/**
 * Counts a request and reports it in the headers of its answer; without a limit it does nothing.
 *
 * @throws {SvcError} 429 with `Retry-After`.
 */
export function takeRate(limit: RateLimit | undefined, address: string, headers: Headers): void {
  if (limit === undefined) return;
  const { allowed, remaining, nextIn, fullIn } = limit.take(address);
  headers.set("x-ratelimit-limit-requests", String(limit.perMinute));
  headers.set("x-ratelimit-remaining-requests", String(remaining));
  headers.set("x-ratelimit-reset-requests", `${Math.ceil(fullIn / 1000)}s`);
  if (allowed) return;
  const seconds = Math.ceil(nextIn / 1000);
  const message =
    `Cannot accept the request: ${limit.perMinute} have come from this address within a minute, which is ` +
    `the limit; try again in ${seconds} s`;
  throw new SvcError("rate_limit_exceeded", message, { headers: { "retry-after": String(seconds) } });
}
