/**
 * What a server reports of its worlds: what they ask of their model and how their moves end, as metrics, and how far a large
 * model is loaded, in the log.
 *
 * @module
 */
import type { Log } from "../../platform/processes/log.ts";
import { type Family, Histogram, type SampleFamily } from "../../http/metrics.ts";
import type { CallRecord } from "../backends/model_worker.ts";
import type { LoadedBytes } from "../../models/checkpoint/load_meter.ts";

/** Seconds of a block and of a state: from a small world on a fast GPU to a large one on a CPU. */
const BLOCK = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2.5, 5, 10, 30];
const STATE = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Bytes of a state: small worlds have about two million, the largest gigabytes. */
const BYTES = [1e5, 1e6, 2e6, 5e6, 1e7, 5e7, 1e8, 5e8, 1e9, 5e9];

/** What calls of a model took, for metrics. */
export class ModelTimes {
  readonly #blocks = new Histogram(BLOCK);
  readonly #states = {
    written: { seconds: new Histogram(STATE), bytes: new Histogram(BYTES) },
    read: { seconds: new Histogram(STATE), bytes: new Histogram(BYTES) },
  };

  /** Takes note of a call that has succeeded. */
  record({ call, seconds, bytes }: CallRecord): void {
    if (call === "generate") this.#blocks.add(seconds);
    const state = call === "exportState"
      ? this.#states.written
      : call === "importState"
      ? this.#states.read
      : undefined;
    state?.seconds.add(seconds);
    state?.bytes.add(bytes);
  }

  /** The metrics. */
  families(): Family[] {
    const { written, read } = this.#states;
    return [
      [
        "svc_block_seconds",
        "histogram",
        "Seconds from asking the model for a block until it was there, the turns of other worlds included.",
        [this.#blocks.distribution()],
      ],
      [
        "svc_snapshot_seconds",
        "histogram",
        "Seconds of writing a state of the model out and of reading one in.",
        [written.seconds.distribution({ direction: "written" }), read.seconds.distribution({ direction: "read" })],
      ],
      [
        "svc_snapshot_bytes",
        "histogram",
        "Bytes of these states.",
        [written.bytes.distribution({ direction: "written" }), read.bytes.distribution({ direction: "read" })],
      ],
    ];
  }
}

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

/** Lines of a load. */
const LINES = 10;

/** Writes a line whenever another tenth is there. */
export function loadLog(log: Log): (loaded: LoadedBytes) => void {
  let shown: number | undefined;
  return ({ done, total, secondsLeft }) => {
    const step = Math.floor(LINES * done / total);
    if (step === shown) return;
    shown = step;
    const seconds_left = secondsLeft === undefined ? undefined : Math.ceil(secondsLeft);
    log("info", "model_loading", { bytes_read: done, bytes_total: total, seconds_left });
  };
}
