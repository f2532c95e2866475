/**
 * A world session: one chain of generated places, one operation at a time.
 *
 * @module
 */
import type { RgbImage } from "../media/rgb_image.ts";
import { type AcceptContext, type AcceptedMove, acceptRollout, acceptTransition } from "./accept_move.ts";
import { artifactNames, ArtifactNumbers } from "./artifact_numbers.ts";
import { type Checkpoint, Checkpoints, readCheckpointRequest } from "./checkpoints.ts";
import { type Clock, Job, JobCancelled, type JobChange } from "./job.ts";
import { JobRegistry } from "./job_registry.ts";
import { isModelGone } from "./keep_model_state.ts";
import type { ModelRoots } from "./model_roots.ts";
import { NOWHERE, type Place, placeAtSource } from "./place.ts";
import { readResetRequest } from "./reset_request.ts";
import { RetainedEdges } from "./retained_edges.ts";
import { readRolloutRequest } from "./rollout_request.ts";
import type { MoveTools } from "./run_move.ts";
import { DEFAULT_SCENE_MEMORY } from "./scene_memory_policy.ts";
import { SessionEvents } from "./session_events.ts";
import { checkpointRecord, sessionSnapshot } from "./session_records.ts";
import { readTransitionRequest } from "./transition_request.ts";
import type {
  CheckpointRecord,
  JobRecord,
  ModelRecord,
  SceneMemoryPolicyRecord,
  SessionPhase,
  WorldSnapshot,
} from "./wire.ts";
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
  /** Rules of scene memory; the published ones when omitted. */
  readonly sceneMemory?: SceneMemoryPolicyRecord | undefined;
  /** Edges that can be walked back, over all paths; 64 when omitted. */
  readonly maxRetainedEdges?: number | undefined;
  /** Locks at the same time; 32 when omitted. */
  readonly maxCheckpoints?: number | undefined;
  /** Hears of every job that ends. */
  readonly onEvent?: (event: SessionLogEntry) => void;
}

/** Something for the log. */
export interface SessionLogEntry {
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
  readonly #sceneMemory: SceneMemoryPolicyRecord;
  readonly #jobs = new JobRegistry();
  readonly #numbers: ArtifactNumbers;
  readonly #edges: RetainedEdges;
  readonly #locks: Checkpoints;
  #place: Place = NOWHERE;
  #record: ModelRecord;
  #phase: SessionPhase = "cold";
  #operation: string | undefined;
  #job: Job | undefined;
  #running: Promise<void> = Promise.resolve();
  #closed = false;
  /** What has changed, for clients that do not want to poll. */
  readonly events: SessionEvents;

  constructor(options: WorldSessionOptions) {
    const { model, files } = options;
    this.#options = options;
    this.#id = options.randomId();
    this.#record = options.record;
    this.#sceneMemory = options.sceneMemory ?? DEFAULT_SCENE_MEMORY;
    this.#numbers = new ArtifactNumbers(() => files.list());
    this.#edges = new RetainedEdges(options.maxRetainedEdges ?? 64, async ({ modelState, folder }) => {
      if (modelState !== undefined) await model.release(modelState);
      await files.remove(folder);
    });
    this.#locks = new Checkpoints(options.maxCheckpoints ?? 32, async ({ modelState, framePath }) => {
      await files.remove(framePath);
      if (modelState !== undefined) await model.release(modelState);
    });
    this.events = new SessionEvents(this.#id);
  }

  /** What the session is doing. */
  get phase(): SessionPhase {
    return this.#phase;
  }

  /** Path of the picture that is shown; undefined while there is none. */
  get framePath(): string | undefined {
    return this.#place.frame?.path;
  }

  /** The session as it is now. */
  snapshot(): WorldSnapshot {
    return sessionSnapshot({
      sessionId: this.#id,
      phase: this.#phase,
      place: this.#place,
      model: this.#record,
      job: this.#job,
      edges: this.#edges,
      locks: this.#locks.list(),
      sceneMemory: this.#sceneMemory,
    });
  }

  /** Loads and warms the model; a session that is ready answers at once. */
  prepare(): Promise<WorldSnapshot> {
    return this.#exclusively("prepare the session", async () => {
      await this.#options.roots();
      await this.#prepareModel();
    });
  }

  /** Makes an image file, given by its bytes, the origin of a new world. Locks are released. */
  setSource(bytes: Uint8Array): Promise<WorldSnapshot> {
    return this.#exclusively("take a source image", async () => {
      await this.#startAt(await this.#options.media.decodeImage(bytes));
    });
  }

  /** Forgets the world and its locks; `body` may name an image for a new one. */
  async reset(body?: unknown): Promise<WorldSnapshot> {
    const { sourceImage } = readResetRequest(body);
    return await this.#exclusively("reset the session", async () => {
      if (sourceImage === undefined) await this.#leaveWorld(NOWHERE);
      else await this.#startAt(await this.#readImage(sourceImage));
    });
  }

  /** Releases the model and the locks. The picture that is shown stays, as the origin of a new world. */
  unload(): Promise<WorldSnapshot> {
    return this.#exclusively("unload the session", () => this.#loseModel());
  }

  /** Accepts a rollout: everything is checked but what only the model can tell, then the job runs by itself. */
  async startRollout(body: unknown): Promise<JobRecord> {
    const request = readRolloutRequest(body);
    return await this.#start("start a rollout", (context) => acceptRollout(request, context));
  }

  /**
   * Accepts a transition, which runs as a job by itself. The exact inverse of the last edge walks it back: its frames
   * are shown in reverse and its source state is restored, without generating.
   */
  async startTransition(body: unknown): Promise<JobRecord> {
    const request = readTransitionRequest(body);
    return await this.#start("start a transition", (context) => acceptTransition(request, context));
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

  /**
   * Locks the state where the session stands: it can be returned to, and goes on bit for bit as the session would have.
   *
   * @throws {WorldError} `session_cold`, `no_current_state`, `too_many_checkpoints`.
   */
  async createCheckpoint(body: unknown): Promise<CheckpointRecord> {
    const name = readCheckpointRequest(body);
    const { model, files, media, randomId, clock } = this.#options;
    let record: CheckpointRecord | undefined;
    await this.#exclusively("create a checkpoint", async () => {
      this.#checkLoaded("create a checkpoint");
      this.#locks.checkRoom();
      const place = this.#place;
      if (!place.frame) {
        const message = "Cannot create a checkpoint: the session has no picture yet, upload a source first";
        throw new WorldError("conflict_error", "no_current_state", message);
      }
      const framePath = files.statePath(artifactNames(await this.#numbers.next()).checkpoint);
      await files.writeNew(framePath, await media.encodePng(place.frame.image));
      const modelState = place.latents > 0 ? await model.snapshot() : undefined;
      const created = { checkpoint_id: randomId(), name, created_at: clock().toISOString(), session_id: this.#id };
      record = checkpointRecord(place, created);
      this.#locks.add({ record, place, modelState, framePath });
    });
    return record!;
  }

  /**
   * The locks, oldest first.
   *
   * @throws {WorldError} `session_cold`.
   */
  checkpoints(): readonly CheckpointRecord[] {
    this.#checkLoaded("list the checkpoints");
    return this.#locks.list().map((lock) => lock.record);
  }

  /** Path of a lock's picture. */
  checkpointFrame(id: string): string {
    this.#checkLoaded("show a checkpoint");
    return this.#locks.get(id).framePath;
  }

  /** Returns to a lock, which stays. */
  restoreCheckpoint(id: string): Promise<WorldSnapshot> {
    return this.#exclusively("restore a checkpoint", async () => {
      const { modelState, place } = this.#lock("restore a checkpoint", id);
      if (modelState !== undefined) await this.#options.model.restore(modelState);
      await this.#settle(place);
    });
  }

  /** Releases a lock; gives what it was. */
  async deleteCheckpoint(id: string): Promise<CheckpointRecord> {
    let record: CheckpointRecord | undefined;
    await this.#exclusively("delete a checkpoint", async () => {
      const lock = this.#lock("delete a checkpoint", id);
      await this.#locks.remove(lock);
      await this.#settle(this.#place);
      record = lock.record;
    });
    return record!;
  }

  /** Cancels the active job, waits for it and releases everything. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#job?.cancel();
    await this.#running;
    await this.#leaveWorld(NOWHERE);
    await Promise.allSettled([this.#options.model.unload(), this.#options.media.close()]);
    this.#enter("cold");
  }

  #enter(phase: SessionPhase): void {
    this.#phase = phase;
    this.events.notify({ event: "snapshot" });
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

  #checkLoaded(action: string): void {
    if (this.#phase === "ready" || this.#phase === "generating") return;
    const message = `Cannot ${action}: the session is not loaded, prepare it first`;
    throw new WorldError("conflict_error", "session_cold", message);
  }

  #lock(action: string, id: string): Checkpoint {
    this.#checkLoaded(action);
    return this.#locks.get(id);
  }

  async #exclusively(action: string, work: () => Promise<void>): Promise<WorldSnapshot> {
    this.#claim(action);
    try {
      await work();
    } catch (error) {
      // Nothing is left that could be released when this fails too.
      if (isModelGone(error)) await this.#loseModel().catch(() => {});
      throw error;
    } finally {
      this.#operation = undefined;
      this.events.notify({ event: "snapshot" });
    }
    return this.snapshot();
  }

  async #start(action: string, accept: (context: AcceptContext) => Promise<AcceptedMove>): Promise<JobRecord> {
    this.#claim(action);
    try {
      const { randomId, clock, files, roots } = this.#options;
      const tools: MoveTools = { ...this.#options, sceneMemory: this.#sceneMemory };
      const move = await accept({
        place: this.#place,
        roots: await roots(),
        edges: this.#edges,
        tools,
        files,
        randomId,
        nextNumber: () => this.#numbers.next(),
        readImage: (path) => this.#readImage(path),
      });
      const id = randomId();
      const onChange = (change: JobChange) => this.events.notify({ ...change, jobId: id });
      const job = new Job({ id, kind: move.kind, clock, onChange });
      this.#jobs.add(job, this.#shownJobs());
      this.#job = job;
      this.#running = this.#run(job, move);
      return job.record();
    } catch (error) {
      this.#operation = undefined;
      throw error;
    }
  }

  async #run(job: Job, move: AcceptedMove): Promise<void> {
    const log = this.#options.onEvent ?? (() => {});
    try {
      job.start();
      if (move.generates) await this.#prepareModel(job);
      this.#enter("generating");
      job.signal.throwIfAborted();
      const { place, receipt, retained } = await move.run(job);
      if (retained) await this.#edges.add(retained.id, retained.edge);
      await this.#settle(place);
      job.complete(receipt);
      log({ level: "info", event: `${move.kind}_completed`, detail: { job_id: job.id, output: receipt.output_path } });
    } catch (error) {
      // Nothing is left that could be released when this fails too.
      if (isModelGone(error)) await this.#loseModel().catch(() => {});
      if (error instanceof JobCancelled) {
        job.endCancelled();
        log({ level: "info", event: `${move.kind}_cancelled`, detail: { job_id: job.id } });
      } else {
        job.fail(asWorldError(error).toObject());
        log({ level: "error", event: `${move.kind}_failed`, detail: { job_id: job.id, error } });
      }
    } finally {
      this.#job = undefined;
      this.#operation = undefined;
      if (this.#phase === "generating") this.#phase = "ready";
      this.events.notify({ event: "snapshot" });
    }
  }

  async #prepareModel(job?: Job): Promise<void> {
    if (this.#phase !== "cold") return;
    this.#enter("preparing");
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
      this.#enter("ready");
    } catch (error) {
      this.#enter("cold");
      throw error;
    }
  }

  /** Releases the model, whose chain and locks go with it: the session goes on from the picture it shows. */
  async #loseModel(): Promise<void> {
    const { frame, latents, transitions } = this.#place;
    const place = latents > 0 && frame ? placeAtSource(this.#options.randomId(), frame, transitions) : this.#place;
    this.#phase = "cold";
    await this.#leaveWorld(place);
    await this.#options.model.unload();
  }

  async #readImage(path: string): Promise<RgbImage> {
    return await this.#options.media.decodeImage(await this.#options.files.readClientFile(path, MAX_IMAGE_BYTES));
  }

  async #startAt(image: RgbImage): Promise<void> {
    const { files, media, randomId } = this.#options;
    const path = files.statePath(artifactNames(await this.#numbers.next()).source);
    await files.writeNew(path, await media.encodePng(image));
    await this.#leaveWorld(placeAtSource(randomId(), { image, path }));
  }

  async #leaveWorld(place: Place): Promise<void> {
    await this.#locks.clear();
    await this.#settle(place);
  }

  /** Moves to a place and releases the edges that nothing leads back over any more. */
  async #settle(place: Place): Promise<void> {
    this.#place = place;
    await this.#edges.keepOnly(new Set(this.#places().flatMap(({ edges }) => edges.map((edge) => edge.id))));
  }

  /** Everywhere the session can go back to. */
  #places(): Place[] {
    return [this.#place, ...this.#locks.list().map((lock) => lock.place)];
  }

  /** Jobs whose terminal frame is shown here or at a state that can be returned to. */
  #shownJobs(): Set<string> {
    const scenes = this.#places().flatMap((place) => [place, ...place.edges.map((edge) => edge.source)]);
    return new Set(scenes.flatMap(({ frame }) => frame?.jobId ?? []));
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
