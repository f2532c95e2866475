/**
 * A world session: one chain of generated places, one operation at a time.
 *
 * @module
 */
import type { RgbImage } from "../media/rgb_image.ts";
import { artifactNames, ArtifactNumbers } from "./artifact_numbers.ts";
import { type Clock, Job, JobCancelled } from "./job.ts";
import { JobRegistry } from "./job_registry.ts";
import { isModelGone } from "./keep_model_state.ts";
import type { ModelRoots } from "./model_roots.ts";
import { NOWHERE, type Place, placeAtSource } from "./place.ts";
import { readResetRequest } from "./reset_request.ts";
import { readRolloutRequest } from "./rollout_request.ts";
import { type RolloutStart, startRollout } from "./rollout_start.ts";
import { runRollout } from "./run_rollout.ts";
import { sessionSnapshot } from "./session_records.ts";
import type { JobRecord, ModelRecord, SessionPhase, WorldSnapshot } from "./wire.ts";
import { asWorldError, WorldError } from "./world_error.ts";
import type { WorldFiles } from "./world_files.ts";
import type { WorldMedia } from "./world_media.ts";
import type { WorldModel, WorldModelInfo } from "../models/world_model.ts";

/** Largest image file that a session reads, in bytes. */
export const MAX_IMAGE_BYTES: number = 32 * 1024 * 1024;

/** Progress steps of loading a model: a job keeps a limited number of them. */
const PREPARE_STEPS = 20;

/** What a session works with; all of it can be replaced by a test. */
export interface WorldSessionOptions {
  readonly model: WorldModel;
  /** What the snapshot says of the model until it is loaded. */
  readonly record: ModelRecord;
  /** Looks whether the model can be loaded; rejects with `model_unavailable`. */
  readonly roots: () => Promise<ModelRoots>;
  readonly media: WorldMedia;
  readonly files: WorldFiles;
  readonly clock: Clock;
  /** A new UUID in lower case. */
  readonly randomId: () => string;
  /** Hears of every job that ends. */
  readonly onEvent?: (event: SessionEvent) => void;
}

/** Something for the log. */
export interface SessionEvent {
  readonly level: "info" | "error";
  readonly event: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * One session. Methods that change it run one at a time: a second one fails with `session_busy` at once. Reading never
 * waits.
 *
 * @example
 * ```ts ignore
 * const session = new WorldSession({ model, record, roots, media, files, clock: () => new Date(), randomId });
 * await session.setSource(png);
 * const { job_id } = await session.startRollout({ prompt: "a corridor", action_seq: ["w"], num_output_frames: 3 });
 * console.log(session.job(job_id).record().status);
 * ```
 */
export class WorldSession {
  readonly #options: WorldSessionOptions;
  readonly #id: string;
  readonly #jobs = new JobRegistry();
  readonly #numbers: ArtifactNumbers;
  #place: Place = NOWHERE;
  #record: ModelRecord;
  #phase: SessionPhase = "cold";
  #operation: string | undefined;
  #job: Job | undefined;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: WorldSessionOptions) {
    this.#options = options;
    this.#id = options.randomId();
    this.#record = options.record;
    this.#numbers = new ArtifactNumbers(() => options.files.list());
  }

  /** What the session is doing. */
  get phase(): SessionPhase {
    return this.#phase;
  }

  /** The session as it is now. */
  snapshot(): WorldSnapshot {
    return sessionSnapshot({
      sessionId: this.#id,
      phase: this.#phase,
      place: this.#place,
      model: this.#record,
      job: this.#job,
    });
  }

  /** Loads and warms the model; a session that is ready answers at once. */
  prepare(): Promise<WorldSnapshot> {
    return this.#exclusively("prepare the session", async () => {
      await this.#options.roots();
      await this.#prepareModel();
    });
  }

  /** Makes an image file, given by its bytes, the origin of a new world. */
  setSource(bytes: Uint8Array): Promise<WorldSnapshot> {
    return this.#exclusively("take a source image", async () => {
      await this.#startAt(await this.#options.media.decodeImage(bytes));
    });
  }

  /** Forgets the world; `body` may name an image for a new one. */
  async reset(body?: unknown): Promise<WorldSnapshot> {
    const { sourceImage } = readResetRequest(body);
    return await this.#exclusively("reset the session", async () => {
      if (sourceImage === undefined) this.#place = NOWHERE;
      else await this.#startAt(await this.#readImage(sourceImage));
    });
  }

  /** Releases the model. The picture that is shown stays, as the origin of a new world. */
  unload(): Promise<WorldSnapshot> {
    return this.#exclusively("unload the session", () => this.#loseModel());
  }

  /** Accepts a rollout: everything is checked but what only the model can tell, then the job runs by itself. */
  async startRollout(body: unknown): Promise<JobRecord> {
    const request = readRolloutRequest(body);
    this.#claim("start a rollout");
    try {
      const { files, randomId, clock } = this.#options;
      const start = await startRollout(request, {
        place: this.#place,
        roots: await this.#options.roots(),
        files,
        randomId,
        nextNumber: () => this.#numbers.next(),
        readImage: (path) => this.#readImage(path),
      });
      const job = new Job(randomId(), clock);
      this.#jobs.add(job, this.#place.frame?.jobId);
      this.#job = job;
      this.#running = this.#run(job, start);
      return job.record();
    } catch (error) {
      this.#operation = undefined;
      throw error;
    }
  }

  /**
   * A job of this session.
   *
   * @throws {WorldError} `job_not_found` or `job_expired`.
   */
  job(id: string): Job {
    return this.#jobs.get(id);
  }

  /** Asks a job to stop; one that has ended is returned unchanged. */
  cancel(id: string): JobRecord {
    const job = this.#jobs.get(id);
    job.cancel();
    return job.record();
  }

  /** Cancels the active job, waits for it and releases everything. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#job?.cancel();
    await this.#running;
    await Promise.allSettled([this.#options.model.unload(), this.#options.media.close()]);
    this.#phase = "cold";
  }

  #claim(action: string): void {
    if (this.#closed) {
      throw new WorldError("conflict_error", "session_closed", `Cannot ${action}: the session is shutting down`);
    }
    if (this.#operation !== undefined) {
      const other = this.#job ? `job ${this.#job.id} is running` : `another request is about to ${this.#operation}`;
      throw new WorldError("conflict_error", "session_busy", `Cannot ${action}: ${other}, wait until it has ended`);
    }
    this.#operation = action;
  }

  async #exclusively(action: string, work: () => Promise<void>): Promise<WorldSnapshot> {
    this.#claim(action);
    try {
      await work();
    } finally {
      this.#operation = undefined;
    }
    return this.snapshot();
  }

  async #run(job: Job, start: RolloutStart): Promise<void> {
    const log = this.#options.onEvent ?? (() => {});
    try {
      job.start();
      await this.#prepareModel(job);
      this.#phase = "generating";
      job.signal.throwIfAborted();
      const { place, receipt } = await runRollout(this.#options, job, start, this.#place.latents > 0);
      this.#place = place;
      job.complete(receipt);
      log({ level: "info", event: "rollout_completed", detail: { job_id: job.id, output: receipt.output_path } });
    } catch (error) {
      // Nothing is left that could be released when this fails too.
      if (isModelGone(error)) await this.#loseModel().catch(() => {});
      if (error instanceof JobCancelled) {
        job.endCancelled();
        log({ level: "info", event: "rollout_cancelled", detail: { job_id: job.id } });
      } else {
        job.fail(asWorldError(error).toObject());
        log({ level: "error", event: "rollout_failed", detail: { job_id: job.id, error } });
      }
    } finally {
      if (this.#phase === "generating") this.#phase = "ready";
      this.#job = undefined;
      this.#operation = undefined;
    }
  }

  async #prepareModel(job?: Job): Promise<void> {
    if (this.#phase !== "cold") return;
    this.#phase = "preparing";
    try {
      const [info] = await Promise.all([
        this.#options.model.prepare({
          ...(job && { signal: job.signal }),
          onProgress: ({ fraction }) =>
            job?.progress("preparing", Math.floor(fraction * PREPARE_STEPS), PREPARE_STEPS, 0),
        }),
        this.#options.media.prepare(),
      ]);
      this.#record = modelRecord(info);
      this.#phase = "ready";
    } catch (error) {
      this.#phase = "cold";
      throw error;
    }
  }

  /** Releases the model, whose chain goes with it: the session goes on from the picture it shows. */
  async #loseModel(): Promise<void> {
    const { frame, latents, transitions } = this.#place;
    if (latents > 0 && frame) this.#place = placeAtSource(this.#options.randomId(), frame, transitions);
    this.#phase = "cold";
    await this.#options.model.unload();
  }

  async #readImage(path: string): Promise<RgbImage> {
    return await this.#options.media.decodeImage(await this.#options.files.readClientFile(path, MAX_IMAGE_BYTES));
  }

  async #startAt(image: RgbImage): Promise<void> {
    const { files, media, randomId } = this.#options;
    const path = files.statePath(artifactNames(await this.#numbers.next()).source);
    await files.writeNew(path, await media.encodePng(image));
    this.#place = placeAtSource(randomId(), { image, path });
  }
}

function modelRecord({ id, path, basePath, device, dtype }: WorldModelInfo): ModelRecord {
  return {
    id,
    ...(path !== undefined && { path }),
    ...(basePath !== undefined && { base_path: basePath }),
    device,
    dtype,
  };
}
