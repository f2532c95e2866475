/**
 * Counts requests and their durations.
 *
 * @module
 */
import type { AnswerRecord } from "./router.ts";

/** Requests of one method and route with one status. */
export interface AnswerCount {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly count: number;
  /** Total time from arrival to status. */
  readonly seconds: number;
}

/** Methods that have routes; all others count as one. */
const METHODS = ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"];

/** Counts answers by method, route and status, whose number is bounded whatever clients send. */
export class HttpMetrics {
  readonly #counts = new Map<string, { count: number; seconds: number }>();

  record({ method, route = "none", status, duration }: AnswerRecord): void {
    const key = JSON.stringify([METHODS.includes(method) ? method : "other", route, status]);
    const entry = this.#counts.get(key) ?? { count: 0, seconds: 0 };
    entry.count++;
    entry.seconds += duration / 1000;
    this.#counts.set(key, entry);
  }

  counts(): AnswerCount[] {
    return [...this.#counts].map(([key, sums]) => {
      const [method, route, status] = JSON.parse(key) as [string, string, number];
      return { method, route, status, ...sums };
    });
  }
}
