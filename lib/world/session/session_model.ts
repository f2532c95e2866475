/**
 * The model of a session between cold and generating.
 *
 * @module
 */
import { admitSize, type SessionMemory } from "./session_memory.ts";
import type { Job } from "./moves/job.ts";
import { modelRecord } from "./session_records.ts";
import type { ModelRecord, SessionPhase } from "../protocol/wire.ts";
import type { WorldMedia } from "./world_files.ts";
import type { ChainModel, Geometry } from "../../models/world/world_model.ts";
import type { PlannedSize } from "../../models/world/memory_plan.ts";

/** Progress steps of loading a model: a job keeps a limited number of them. */
const PREPARE_STEPS = 20;

/** Options of {@linkcode SessionModel}. */
export interface SessionModelOptions {
  readonly model: ChainModel;
  readonly media: WorldMedia;
  /** Inspects the model before it is loaded. */
  readonly record: ModelRecord;
  /** Plans and measures the memory of frames; every size is accepted by default. */
  readonly memory?: SessionMemory | undefined;
  /** Called after every change of the phase. */
  readonly onPhase: () => void;
}

/** Loads, uses and releases the model, and derives the session's phase. */
export class SessionModel {
  readonly #options: SessionModelOptions;
  #record: ModelRecord;
  #phase: SessionPhase = "cold";
  /** Its phase between two jobs. */
  #resting: SessionPhase = "cold";

  constructor(options: SessionModelOptions) {
    this.#options = options;
    this.#record = options.record;
  }

  get phase(): SessionPhase {
    return this.#phase;
  }

  /** What is currently known of the model. */
  get record(): ModelRecord {
    return this.#record;
  }

  /** Whether it is ready or generating. */
  get loaded(): boolean {
    return this.#phase === "ready" || this.#phase === "generating";
  }

  /**
   * Refuses frames that this machine has no memory for.
   *
   * @param action Follows "Cannot" in the message.
   * @throws {SvcError} `size_exceeds_memory`, `memory_pressure`.
   */
  async admit(action: string, size: PlannedSize): Promise<void> {
    const { memory } = this.#options;
    if (memory) await admitSize(memory, this.#record.device, action, size);
  }

  /**
   * Loads and warms up the model and the encoder if necessary. Progress is reported to the job, if one waits.
   *
   * @param admit Refuses what this machine has no memory for, and gives the size to warm up for, where it is not the
   * model's own. It may read the model's files, so it is a part of loading.
   */
  async prepare(
    waiting: Pick<Job, "signal"> & Partial<Pick<Job, "progress" | "loading">>,
    admit: () => Promise<Geometry | undefined>,
  ): Promise<void> {
    if (this.#phase !== "cold") return;
    const { model, media } = this.#options;
    this.#enter("preparing");
    try {
      const geometry = await admit();
      const [info] = await Promise.all([
        model.prepare({
          geometry,
          signal: waiting.signal,
          onProgress: ({ fraction, loaded }) => {
            if (loaded) waiting.loading?.(loaded);
            else waiting.progress?.("preparing", Math.floor(fraction * PREPARE_STEPS), PREPARE_STEPS, 0);
          },
        }),
        media.prepare(),
      ]);
      const { madeFor } = this.#options.record;
      this.#record = { ...modelRecord(info), ...(madeFor !== undefined && { madeFor }) };
      this.#enter("ready");
    } catch (error) {
      this.#enter("cold");
      throw error;
    }
  }

  /** A job starts; one that replays needs no model. */
  beginWork(): void {
    this.#resting = this.#phase;
    this.#enter("generating");
  }

  /** The job has ended; the model may be gone by then. */
  endWork(): void {
    if (this.#phase === "generating") this.#enter(this.#resting);
  }

  /**
   * Releases the model.
   *
   * @param release Does it in another way.
   */
  async unload(release: () => Promise<void> = () => this.#options.model.unload()): Promise<void> {
    this.#enter("cold");
    await release();
  }

  #enter(phase: SessionPhase): void {
    this.#phase = phase;
    this.#options.onPhase();
  }
}
