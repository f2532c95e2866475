/**
 * What a worker of a fleet adds to the metrics of a world server and to its log.
 *
 * @module
 */
import { type SampleFamily, single } from "../../lib/http/metrics.ts";
import type { ClusterClock, JournalStore } from "../protocol/broker.ts";
import type { Log } from "../../lib/platform/processes/log.ts";
import { brokerTrouble, isDenied } from "../nats/broker_trouble.ts";

/** What a worker counts. */
export interface WorkerCounts {
  placed: number;
  notPlaced: number;
  /** Worlds whose journal another worker had taken. */
  fenced: number;
  placementSeconds: number;
  /** Worlds given up, by the reason. */
  readonly left: Map<string, number>;
}

/** What a worker is at present. */
interface WorkerState {
  readonly slots: number;
  readonly used: number;
  /** Whether no other process can consider it dead. */
  readonly isSound: boolean;
  readonly counts: WorkerCounts;
}

/** The metrics of a worker. */
export function workerFamilies({ slots, used, isSound, counts }: WorkerState): SampleFamily[] {
  return [
    single("svc_worker_slots", "gauge", "Worlds that it takes at a time.", slots),
    single("svc_worker_slots_used", "gauge", "Slots in use.", used),
    single("svc_worker_lease_sound", "gauge", "Whether its lease holds.", isSound),
    single("svc_worker_worlds_placed_total", "counter", "Worlds that it has taken.", counts.placed),
    single("svc_worker_worlds_not_placed_total", "counter", "Worlds that it could not open.", counts.notPlaced),
    single("svc_worker_placement_seconds_total", "counter", "Seconds of opening worlds.", counts.placementSeconds),
    single("svc_worker_fenced_total", "counter", "Worlds that another worker had taken first.", counts.fenced),
    [
      "svc_worker_worlds_left_total",
      "counter",
      "Worlds that it has given up, by the reason.",
      [...counts.left].map(([reason, count]) => [{ reason }, count]),
    ],
  ];
}

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

/**
 * Says once why a lease is not renewed, and once that it is again.
 *
 * @returns what is called after every renewal, with the error of one that failed.
 */
export function leaseLog(log: Log): (error?: unknown) => void {
  let said: string | undefined;
  return (error) => {
    const denied = isDenied(error) &&
      "its NATS user may not register it: --name and --pool have to be those of the user";
    const reason = error === undefined ? undefined : denied || (brokerTrouble(error) ?? String(error));
    if (reason === said) return;
    said = reason;
    if (reason === undefined) log("info", "lease_renewed");
    else log("warn", "lease_not_renewed", { reason });
  };
}
