/**
 * Responses that are kept in memory, to be continued.
 *
 * @module
 */
import type { Clock } from "../../../scheduling/mod.ts";
import type { KeptItems, ResponseItem, ResponseObject } from "../../../protocol/mod.ts";

/** What is kept: how many responses, how large with all that came before them, and for how long in milliseconds. */
export const KEPT_RESPONSES: { readonly count: number; readonly bytes: number; readonly age: number } = {
  count: 1000,
  bytes: 64 * 2 ** 20,
  age: 24 * 60 * 60 * 1000,
};

/** A response that is kept. */
export interface KeptResponse {
  readonly response: ResponseObject;
  /** The items of its request. */
  readonly input: readonly ResponseItem[];
  /** Those before them. */
  readonly history: readonly ResponseItem[];
}

interface Entry extends KeptResponse {
  readonly bytes: number;
  readonly at: number;
}

/** Keeps responses within {@linkcode KEPT_RESPONSES}, the newest of them. */
export class ResponseStore implements KeptItems {
  readonly #clock: Pick<Clock, "now">;
  /** By id, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Keeps a response; false when it is too large. */
  put(kept: KeptResponse): boolean {
    // What came before is counted again: it stays in memory even when its own response is removed.
    const bytes = JSON.stringify([kept.response, kept.input, kept.history]).length;
    if (bytes > KEPT_RESPONSES.bytes) return false;
    this.#entries.set(kept.response.id, { ...kept, bytes, at: this.#clock.now() });
    this.#bytes += bytes;
    this.#trim();
    return true;
  }

  /** A response; undefined when it is not kept, or no longer. */
  get(id: string): KeptResponse | undefined {
    this.#trim();
    return this.#entries.get(id);
  }

  /** Removes a response; false when there is none. */
  delete(id: string): boolean {
    this.#trim();
    const entry = this.#entries.get(id);
    this.#bytes -= entry?.bytes ?? 0;
    return this.#entries.delete(id);
  }

  history(id: string): readonly ResponseItem[] | undefined {
    const kept = this.get(id);
    return kept && [...kept.history, ...kept.input, ...kept.response.output];
  }

  item(id: string): ResponseItem | undefined {
    this.#trim();
    for (const { response, input } of this.#entries.values()) {
      const found = [...response.output, ...input].find((item: ResponseItem) => item.id === id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #trim(): void {
    const oldest = this.#clock.now() - KEPT_RESPONSES.age;
    for (const [id, { bytes, at }] of this.#entries) {
      const fits = this.#entries.size <= KEPT_RESPONSES.count && this.#bytes <= KEPT_RESPONSES.bytes;
      if (at > oldest && fits) return;
      this.#entries.delete(id);
      this.#bytes -= bytes;
    }
  }
}
