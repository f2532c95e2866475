/**
 * The metrics of a world server.
 *
 * @module
 */
import { type AnswerCount, answerFamilies, type SampleFamily, single } from "../../http/metrics.ts";
import type { WorldRecord } from "../protocol/world_record.ts";

/** Phases of a world; one that rests on the disk counts as parked, whatever it did before. */
const PHASES = ["cold", "preparing", "ready", "generating", "parked"] as const;

/** The metrics, of which worlds only have their number: as many series as there are routes, whatever clients send. */
export function worldFamilies(
  worlds: readonly WorldRecord[],
  answers: readonly AnswerCount[],
  version: string,
): SampleFamily[] {
  const counts = new Map<string, number>(PHASES.map((phase) => [phase, 0]));
  for (const { phase, parked } of worlds) {
    const now = parked ? "parked" : phase;
    counts.set(now, (counts.get(now) ?? 0) + 1);
  }
  return [
    ["svc_info", "gauge", "Version of the server.", [[{ version }, 1]]],
    single("svc_uptime_seconds", "gauge", "Seconds since the start.", performance.now() / 1000),
    ["svc_worlds", "gauge", "Worlds by phase.", [...counts].map(([phase, count]) => [{ phase }, count])],
    ...answerFamilies(answers),
  ];
}
