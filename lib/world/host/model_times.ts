/**
 * Measures what worlds ask of their model: blocks, and states that are written out or read in.
 *
 * @module
 */
import { type Family, Histogram } from "../../http/metrics.ts";
import type { CallRecord } from "../backends/model_worker.ts";

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
