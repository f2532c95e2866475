/**
 * Counts moves by how they end, from what worlds write into the log.
 *
 * @module
 */
import type { SampleFamily } from "../../http/metrics.ts";
import type { Log } from "../../platform/processes/log.ts";

const KINDS = ["transition", "rollout"] as const;
const OUTCOMES = ["completed", "cancelled", "failed"] as const;
const ENDED = new RegExp(`^(${KINDS.join("|")})_(${OUTCOMES.join("|")})$`);

/** How many moves have ended, for metrics. */
export class MoveCounts {
  readonly #counts = new Map<string, number>();

  /** A log for worlds: it writes into another one, and counts. */
  counting(log: Log): Log {
    return (level, event, detail) => {
      if (ENDED.test(event)) this.#counts.set(event, (this.#counts.get(event) ?? 0) + 1);
      log(level, event, detail);
    };
  }

  /** The metrics: every kind and outcome, so that rates have a beginning. */
  families(): SampleFamily[] {
    const samples = KINDS.flatMap((kind) =>
      OUTCOMES.map((outcome) => [{ kind, outcome }, this.#counts.get(`${kind}_${outcome}`) ?? 0] as const)
    );
    return [["svc_moves_total", "counter", "Moves that have ended, by kind and outcome.", samples]];
  }
}
