/**
 * The metrics that a worker of a fleet adds to those of a world server.
 *
 * @module
 */
import { type SampleFamily, single } from "../../lib/http/prometheus_text.ts";

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
export interface WorkerState {
  readonly slots: number;
  readonly used: number;
  /** Whether nobody can have taken it for dead. */
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
