/**
 * Counts what a worker writes into the journals of its worlds.
 *
 * @module
 */
import type { ClusterClock, JournalStore } from "../protocol/broker.ts";
import { type SampleFamily, single } from "../../lib/http/prometheus_text.ts";

/** Entries of journals, for metrics. */
export class JournalCounts {
  #entries = 0;
  #failures = 0;
  #bytes = 0;
  #seconds = 0;

  /** The same journals, counted. */
  counting(journals: JournalStore, clock: ClusterClock): JournalStore {
    return {
      ...journals,
      append: async (session, data, expected, id) => {
        const begun = clock.now();
        try {
          const sequence = await journals.append(session, data, expected, id);
          this.#entries++;
          this.#bytes += data.length;
          return sequence;
        } catch (error) {
          this.#failures++;
          throw error;
        } finally {
          this.#seconds += (clock.now() - begun) / 1000;
        }
      },
    };
  }

  /** The metrics. */
  families(): SampleFamily[] {
    return [
      single("svc_worker_journal_entries_total", "counter", "Entries that the journals have taken.", this.#entries),
      single("svc_worker_journal_bytes_total", "counter", "Bytes of these entries.", this.#bytes),
      single("svc_worker_journal_failures_total", "counter", "Entries refused or not answered for.", this.#failures),
      single("svc_worker_journal_seconds_total", "counter", "Seconds of waiting for journals.", this.#seconds),
    ];
  }
}
