/**
 * The metrics of a gateway.
 *
 * @module
 */
import type { FleetView } from "../protocol/fleet_view.ts";
import { type AnswerCount, answerFamilies, type SampleFamily, single } from "../../lib/http/metrics.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";

/** What a gateway counts. */
export interface GatewayCounts {
  readonly retries: number;
  readonly takeovers: number;
}

/** What a gateway knows of its fleet, and of itself. */
export function gatewayFamilies(
  view: Pick<FleetView, "sessions" | "workers">,
  { retries, takeovers }: GatewayCounts,
  answers: readonly AnswerCount[],
): SampleFamily[] {
  const phases = new Map<string, number>(["waiting", "ready", "parked", "failed"].map((phase) => [phase, 0]));
  let oldest = Number.POSITIVE_INFINITY;
  for (const { value } of view.sessions.values()) {
    phases.set(value.phase, phases.get(value.phase)! + 1);
    if (value.phase === "waiting") oldest = Math.min(oldest, value.since);
  }
  const workers = [...view.workers.values()].map(({ value }) => value);
  const sum = (of: (worker: typeof workers[number]) => number): number => workers.reduce((n, one) => n + of(one), 0);
  const waited = Number.isFinite(oldest) ? Math.max(0, (Date.now() - oldest) / 1000) : 0;
  return [
    ["svc_info", "gauge", "Version of the server.", [[{ version: VERSION }, 1]]],
    ["svc_fleet_worlds", "gauge", "Worlds by phase.", [...phases].map(([phase, count]) => [{ phase }, count])],
    single("svc_fleet_longest_wait_seconds", "gauge", "How long the first in the line has waited.", waited),
    single("svc_fleet_workers", "gauge", "Workers that live.", workers.length),
    single("svc_fleet_slots", "gauge", "Slots of all workers.", sum(({ slots }) => slots)),
    single("svc_fleet_slots_used", "gauge", "Slots in use.", sum(({ used }) => used)),
    single("svc_gateway_retries_total", "counter", "Requests sent to a second worker.", retries),
    single("svc_gateway_takeovers_total", "counter", "Worlds taken from workers that are gone.", takeovers),
    ...answerFamilies(answers),
  ];
}
