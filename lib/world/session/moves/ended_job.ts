/**
 * A job that has ended, known by its record only.
 *
 * @module
 */
import type { JobView } from "./job.ts";
import type { ChunkRecord, JobRecord } from "../../protocol/job_record.ts";

/** A job of an earlier process. */
export class EndedJob implements JobView {
  readonly active = false;
  readonly #record: JobRecord;

  constructor(record: JobRecord) {
    this.#record = record;
  }

  get id(): string {
    return this.#record.job_id;
  }

  get kind(): JobRecord["kind"] {
    return this.#record.kind;
  }

  get chunks(): readonly ChunkRecord[] {
    return this.#record.chunks;
  }

  get outputPath(): string | undefined {
    return this.#receipt?.output_path;
  }

  get framePath(): string | undefined {
    return this.#receipt?.terminal_frame_path;
  }

  record(): JobRecord {
    return this.#record;
  }

  /** It has ended already. */
  cancel(): void {}

  get #receipt(): JobRecord["receipt"] | JobRecord["rollout_receipt"] {
    return this.#record.receipt ?? this.#record.rollout_receipt;
  }
}
