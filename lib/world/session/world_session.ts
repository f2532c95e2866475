/**
 * A world session: a graph of generated states, one operation at a time.
 *
 * @module
 */
import { MAX_IMAGE_BYTES } from "../../media/images/image_limits.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { Geometry } from "../../models/world/world_model.ts";
import type { PlannedSize } from "../../models/world/memory_plan.ts";
import { type AcceptContext, type AcceptedMove, acceptRollout, acceptTransition } from "./moves/accept_move.ts";
import { artifactNames, ArtifactNumbers } from "./artifact_numbers.ts";
import { type Checkpoint, readCheckpointRequest } from "./graph/checkpoints.ts";
import { Job, JobCancelled, type JobChange, type JobView } from "./moves/job.ts";
import { JobRegistry } from "./moves/job_registry.ts";
import { KEPT_BYTES, KeptFiles } from "./kept_files.ts";
import { isModelGone, keepModelState } from "./keep_model_state.ts";
import type { SessionKeeper } from "./journal/session_keeper.ts";
import type { Continuity, GraphImage } from "./journal/session_image.ts";
import { Navigation } from "./graph/navigation.ts";
import { admitSize } from "./memory_admission.ts";
import { Mutex } from "./mutex.ts";
import { INITIAL_STATE, type SessionState, stateAtSource } from "./graph/session_state.ts";
import { readResetRequest } from "../protocol/requests/reset_request.ts";
import { SessionEvents } from "./session_events.ts";
import { SessionModel } from "./session_model.ts";
import { untilAborted } from "./until_aborted.ts";
import type { WorldSessionOptions } from "./session_options.ts";
import type { StoredFile } from "./world_files.ts";
import { checkpointRecord, sessionSnapshot } from "./session_records.ts";
import type { WalkRecord } from "../protocol/walk_record.ts";
import { walkRecord } from "./walk/walk_record.ts";
import { WalkVideo } from "./walk/walk_video.ts";
import { DEFAULT_FRAMES } from "../protocol/requests/transition_fields.ts";
import type { BackendName, CheckpointRecord, SessionPhase, WorldSnapshot } from "../protocol/wire.ts";
import type { JobRecord } from "../protocol/job_record.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { asSvcError, conflict, unsupportedForBackend } from "../../errors/make_error.ts";

/**
 * One session. Methods that change it run one at a time: a concurrent one fails with `session_busy` at once. Reading
 * never waits.
 *
 * @example
 * ```ts ignore
 * const session = new WorldSession({ model, record, roots, media, files, clock: () => new Date(), newId });
 * await session.setSource(png);
 * const { job_id } = await session.startRollout({ prompt: "a corridor", action_seq: ["w"], num_output_frames: 3 });
 * console.log(session.job(job_id).record().status);
 * ```
 */
export class WorldSession {
  readonly #options: WorldSessionOptions;
  readonly #id: string;
  readonly #files: KeptFiles;
  readonly #jobs = new JobRegistry();
  readonly #numbers: ArtifactNumbers;
  readonly #navigation: Navigation;
  readonly #operations = new Mutex();
  readonly #model: SessionModel;
  readonly #closing = new AbortController();
  readonly #video: WalkVideo;
  readonly #keeper: SessionKeeper | undefined;
  #job: Job | undefined;
  #parking: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Notices of changes, for clients that do not want to poll. */
  readonly events: SessionEvents;

  /** A session without an image; nothing is loaded. */
  constructor(options: WorldSessionOptions) {
    const { keepFiles: limit = KEPT_BYTES, keeper } = options;
    const restored = keeper?.restored;
    this.#keeper = keeper;
    const made = restored?.lastNumber;
    this.#files = new KeptFiles({ files: options.files, limit, made, needed: () => this.#navigation.neededFiles() });
    this.#options = { ...options, files: this.#files };
    this.#id = restored?.sessionId ?? options.newId();
    this.#numbers = new ArtifactNumbers(() => options.files.list(), options.removedNumbers, restored?.lastNumber);
    this.#jobs.restore(restored?.jobs ?? []);
    const save = keeper && ((graph: GraphImage) => this.#save(graph));
    this.#navigation = new Navigation({
      ...this.#options,
      model: options.backend.model,
      save,
      restored: restored?.graph,
    });
    this.events = new SessionEvents(restored ? options.newId() : this.#id); // numbers of notices begin anew
    this.#video = new WalkVideo({ ...this.#options, nextNumber: () => this.#numbers.next() });
    const onPhase = () => this.events.notify({ event: "snapshot" });
    this.#model = new SessionModel({ ...options, model: options.backend.model, onPhase });
  }

  /** The kind of world model. */
  get backend(): BackendName {
    return this.#options.backend.name;
  }

  /** The phase of the session. */
  get phase(): SessionPhase {
    return this.#model.phase;
  }

  /**
   * How it goes on after its last process; undefined in a new session.
   *
   * @internal
   */
  get continuity(): Continuity | undefined {
    return this.#keeper?.continuity;
  }

  /** Path of the current image; undefined while there is none. */
  get framePath(): string | undefined {
    return this.#navigation.state.frame?.path;
  }

  /**
   * Opens a file of the session; undefined when there is none.
   *
   * @throws {SvcError} `media_expired` when it was removed because there were too many bytes.
   */
  openFile(path: string): Promise<StoredFile | undefined> {
    return this.#files.open(path);
  }

  /** The current snapshot. */
  snapshot(): WorldSnapshot {
    return sessionSnapshot({
      sessionId: this.#id,
      phase: this.#model.phase,
      navigation: this.#navigation,
      model: this.#model.record,
      job: this.#job,
      backend: this.#options.backend,
      continuity: this.#keeper?.continuity,
    });
  }

  /**
   * Where the camera has been, and the requests that make every move again; never waits for the model.
   *
   * @internal
   */
  async walk(): Promise<WalkRecord> {
    const { backend, roots } = this.#options;
    const found = await roots().catch(() => undefined);
    return walkRecord({ sessionId: this.#id, backend, navigation: this.#navigation, roots: found });
  }

  /**
   * File of the video of the active path, one MP4.
   *
   * @throws {SvcError} `media_not_found`, `walk_too_large`, and what writing throws.
   */
  walkVideo(): Promise<string> {
    return this.#video.of(this.#navigation.state.path);
  }

  /**
   * Loads and warms up the model; returns at once if it is ready.
   *
   * @param size Of the moves that will follow: that of the world by default, else the model's own.
   * @throws {SvcError} `server_stopping` when the session is closed meanwhile, `model_unavailable`, `session_busy`.
   */
  prepare(
    size: { readonly width?: number | undefined; readonly height?: number | undefined } = {},
  ): Promise<WorldSnapshot> {
    const { roots, memory } = this.#options;
    const admit = async (): Promise<Geometry | undefined> => {
      const { defaults } = await roots();
      const { width = defaults.width, height = defaults.height } = this.#navigation.state.geometry ?? size;
      const [atLeastWide, atLeastHigh] = [width ?? memory?.unit, height ?? memory?.unit];
      if (atLeastWide && atLeastHigh) {
        const planned = { width: atLeastWide, height: atLeastHigh, frames: DEFAULT_FRAMES };
        await this.#admit("prepare the session", planned);
      }
      return width && height ? { width, height } : undefined;
    };
    const load = async (): Promise<void> => {
      await this.#model.prepare(this.#closing, admit);
      await this.#wake(this.#closing.signal);
    };
    return this.#exclusively("prepare the session", () => untilAborted(this.#closing.signal, load()));
  }

  /**
   * Writes the state of a session that nobody uses to the disk, and gives the memory of its chain back; the next move
   * takes it up again, bit for bit. Returns whether it has: a session that is busy or not kept stays as it is.
   *
   * @internal
   */
  async park(): Promise<boolean> {
    if (!this.#keeper?.isAwake || this.#operations.isBusy || this.#parking) return false;
    this.#parking = this.#keeper.park().finally(() => this.#parking = undefined);
    return await this.#parking.then(() => true, () => false); // a disk that is full cannot take it
  }

  /**
   * Whether the model's memory was given back while nobody used the session.
   *
   * @internal
   */
  get isParked(): boolean {
    return this.#model.loaded && this.#keeper?.isAsleep === true;
  }

  /**
   * Whether something is changing it.
   *
   * @internal
   */
  get isBusy(): boolean {
    return this.#operations.isHeld;
  }

  /**
   * Whether the model has a chain of it, or is about to.
   *
   * @internal
   */
  get holdsMemory(): boolean {
    if (this.isBusy) return true;
    return this.#keeper ? this.#keeper.isAwake : this.#model.loaded && this.#navigation.state.depth > 0;
  }

  /** Throws `session_busy` while another operation runs; `action` follows "Cannot" in the message. */
  checkIdle(action: string): void {
    this.#operations.check(action, this.#job?.id);
  }

  /** Starts a new world from the bytes of an image file. Checkpoints are deleted. */
  setSource(bytes: Uint8Array): Promise<WorldSnapshot> {
    return this.#exclusively("take a source image", async () => {
      await this.#startAt(await this.#options.media.decodeImage(bytes));
    });
  }

  /** Discards the world and its checkpoints; `body` may name an image for a new one. */
  async reset(body?: unknown): Promise<WorldSnapshot> {
    const { sourceImage } = readResetRequest(body);
    return await this.#exclusively("reset the session", async () => {
      if (sourceImage === undefined) await this.#navigation.leaveFor(INITIAL_STATE);
      else await this.#startAt(await this.#readImage(sourceImage));
    });
  }

  /** Releases the model and the checkpoints. The current image stays, as the origin of a new world. */
  unload(): Promise<WorldSnapshot> {
    return this.#exclusively("unload the session", () => this.#loseModel());
  }

  /**
   * Accepts a rollout: everything is validated except what only the model can check, then the job runs in the
   * background.
   */
  async startRollout(body: unknown): Promise<JobRecord> {
    const request = this.#options.backend.readRollout(body);
    return await this.#start("start a rollout", (context) => acceptRollout(request, context));
  }

  /**
   * Accepts a transition, which runs as a background job. The exact inverse of the last edge is replayed: its frames
   * are shown in reverse and its source state is restored, without generating.
   */
  async startTransition(body: unknown): Promise<JobRecord> {
    const request = this.#options.backend.readTransition(body);
    return await this.#start("start a transition", (context) => acceptTransition(request, context));
  }

  /**
   * A job of this session.
   *
   * @throws {SvcError} `job_not_found` or `job_expired`.
   */
  job(id: string): JobView {
    return this.#jobs.get(id);
  }

  /** Cancels a job; one that has ended is returned unchanged. */
  cancel(id: string): JobRecord {
    const job = this.#jobs.get(id);
    job.cancel();
    return job.record();
  }

  /**
   * Saves the current state as a checkpoint. A restored checkpoint continues bit-identically.
   *
   * @throws {SvcError} `session_cold`, `no_current_state`, `too_many_checkpoints`, `unsupported_for_backend`.
   */
  async createCheckpoint(body: unknown): Promise<CheckpointRecord> {
    this.#checkSupported("create a checkpoint");
    const name = readCheckpointRequest(body);
    const { backend, files, media, newId, clock } = this.#options;
    let record: CheckpointRecord | undefined;
    await this.#exclusively("create a checkpoint", async () => {
      this.#checkLoaded("create a checkpoint");
      this.#navigation.checkpoints.checkCapacity();
      const { state } = this.#navigation;
      if (!state.frame) {
        const message = "Cannot create a checkpoint: the session has no image yet, upload a source first";
        throw conflict("no_current_state", message);
      }
      const framePath = files.statePath(artifactNames(await this.#numbers.next()).checkpoint);
      await files.writeNew(framePath, await media.encodePng(state.frame.image));
      const modelState = state.depth > 0 ? await backend.model.snapshot() : undefined;
      const created = { checkpoint_id: newId(), name, created_at: clock().toISOString(), session_id: this.#id };
      record = checkpointRecord(state, created);
      await this.#navigation.addCheckpoint({ record, state, modelState, framePath });
    });
    return record!;
  }

  /**
   * The checkpoints, oldest first.
   *
   * @throws {SvcError} `session_cold`.
   */
  checkpoints(): readonly CheckpointRecord[] {
    this.#checkLoaded("list the checkpoints");
    return this.#navigation.checkpoints.list().map((checkpoint) => checkpoint.record);
  }

  /** Path of a checkpoint's image. */
  checkpointFrame(id: string): string {
    this.#checkLoaded("show a checkpoint");
    return this.#navigation.checkpoints.get(id).framePath;
  }

  /** Returns to a checkpoint, which is kept. */
  restoreCheckpoint(id: string): Promise<WorldSnapshot> {
    return this.#exclusively("restore a checkpoint", async () => {
      const { modelState, state } = this.#checkpoint("restore a checkpoint", id);
      if (modelState === undefined) return await this.#navigation.goTo(state);
      const { model } = this.#options.backend;
      const { before } = await keepModelState(model, this.#navigation.state.depth > 0, async () => {
        await model.restore(modelState);
        await this.#navigation.goTo(state);
      });
      if (before !== undefined) await model.release(before);
    });
  }

  /** Deletes a checkpoint; returns its record. */
  async deleteCheckpoint(id: string): Promise<CheckpointRecord> {
    let record: CheckpointRecord | undefined;
    await this.#exclusively("delete a checkpoint", async () => {
      const checkpoint = this.#checkpoint("delete a checkpoint", id);
      await this.#navigation.removeCheckpoint(checkpoint);
      record = checkpoint.record;
    });
    return record!;
  }

  /** Cancels the active job, waits for it and releases everything. */
  async close(): Promise<void> {
    this.#operations.close();
    this.#closing.abort(
      new SvcError(
        "server_stopping",
        "Cannot prepare the session: the server is being stopped, try again when it runs again",
      ),
    );
    this.#job?.cancel();
    await this.#running;
    await this.#parking?.catch(() => {});
    if (this.#keeper) await this.#keeper.close();
    else await this.#navigation.leaveFor(INITIAL_STATE);
    await Promise.allSettled([this.#model.unload(), this.#options.media.close()]);
  }

  #checkLoaded(action: string): void {
    this.#checkSupported(action);
    // One that was restored has its checkpoints before its model.
    if (this.#model.loaded || this.#keeper?.isAsleep || this.#navigation.checkpoints.size > 0) return;
    const message = `Cannot ${action}: the session is not loaded, prepare it first`;
    throw conflict("session_cold", message);
  }

  #checkSupported(action: string): void {
    const { name, hasCheckpoints } = this.#options.backend;
    if (!hasCheckpoints) {
      throw unsupportedForBackend(action, `an ${name} has no checkpoints, use inverse moves instead`);
    }
  }

  #checkpoint(action: string, id: string): Checkpoint {
    this.#checkLoaded(action);
    return this.#navigation.checkpoints.get(id);
  }

  async #exclusively(action: string, work: () => Promise<void>): Promise<WorldSnapshot> {
    if (this.#parking) await this.#parking.catch(() => {});
    this.#operations.begin(action, this.#job?.id);
    try {
      await work();
    } catch (error) {
      // Nothing is left to release if this fails too.
      if (isModelGone(error)) await this.#onModelGone().catch(() => {});
      throw error;
    } finally {
      this.#operations.end();
      this.events.notify({ event: "snapshot" });
    }
    return this.snapshot();
  }

  async #start(action: string, accept: (context: AcceptContext) => Promise<AcceptedMove>): Promise<JobRecord> {
    if (this.#parking) await this.#parking.catch(() => {});
    this.#operations.begin(action, this.#job?.id);
    try {
      const { newId, newJobId = newId, clock } = this.#options;
      const again = async (): Promise<AcceptedMove> => await accept(await this.#acceptContext(action));
      const move = await again();
      this.#files.protectFromNow();
      const id = newJobId();
      const onChange = (change: JobChange) => this.events.notify({ ...change, jobId: id });
      const job = new Job({ id, kind: move.kind, clock, onChange });
      const accepted = job.record();
      await this.#keeper?.accepted(accepted, move.number, move.outputPath);
      this.#jobs.add(job);
      this.#job = job;
      this.#running = this.#run(job, move, again);
      return accepted;
    } catch (error) {
      this.#operations.end();
      throw error;
    }
  }

  async #acceptContext(action: string): Promise<AcceptContext> {
    const { backend, newId, files, media, roots } = this.#options;
    return {
      state: this.#navigation.state,
      roots: await roots(),
      edges: this.#navigation.edges,
      backend,
      tools: { model: backend.model, media, files, deliver: this.#options.onChunk },
      files,
      newId,
      nextNumber: () => this.#numbers.next(),
      readImage: (path) => this.#readImage(path),
      admit: (size) => this.#admit(action, size),
    };
  }

  async #run(job: Job, accepted: AcceptedMove, again: () => Promise<AcceptedMove>): Promise<void> {
    const log = this.#options.onEvent ?? (() => {});
    let move = accepted;
    try {
      job.start();
      if (move.generates) {
        if (this.#keeper && this.#options.backend.model.isGone) await this.#onModelGone();
        await this.#model.prepare(job, () => Promise.resolve(accepted.geometry));
        if (await this.#wake(job.signal) === "picture") move = await again();
      }
      this.#model.beginWork();
      job.signal.throwIfAborted();
      const { state, receipt, retained } = await move.run(job, async (outcome) => {
        const { state, retained } = outcome;
        const edges = [...this.#navigation.edges.list(), ...retained ? [retained] : []];
        await this.#save(this.#navigation.image({ state, edges }), job.completing(outcome.receipt));
      });
      await this.#navigation.arriveAt(state, retained);
      job.complete(receipt);
      this.#keeper?.rest();
      log({ level: "info", event: `${move.kind}_completed`, detail: { job_id: job.id, output: receipt.output_path } });
    } catch (error) {
      this.#jobs.endedOtherwise(job);
      // Nothing is left to release if this fails too.
      if (isModelGone(error)) await this.#onModelGone().catch(() => {});
      if (this.#keeper) await this.#keeper.prune(this.#navigation.image()).catch(() => {});
      if (error instanceof JobCancelled) {
        job.endCancelled();
        log({ level: "info", event: `${move.kind}_cancelled`, detail: { job_id: job.id } });
      } else {
        job.fail(asSvcError(error).toObject());
        log({ level: "error", event: `${move.kind}_failed`, detail: { job_id: job.id, error } });
      }
    } finally {
      this.#job = undefined;
      this.#jobs.dropOldest(this.#navigation.shownJobs());
      this.#operations.end();
      this.#model.endWork();
      this.events.notify({ event: "snapshot" });
      if (!job.outputPath) this.#noteEnd();
    }
  }

  /** Writes the record of the last job down: all that is new of one that failed, and a disk that is full cannot take it. */
  #noteEnd(): void {
    const graph = this.#navigation.image();
    const change = { sessionId: this.#id, graph, jobs: this.#jobs.ended(), lastNumber: this.#numbers.last };
    void this.#keeper?.save(change).catch(() => {});
  }

  async #admit(action: string, size: PlannedSize): Promise<void> {
    const { memory } = this.#options;
    if (memory) await admitSize(memory, this.#model.record.device, action, size);
  }

  /** Writes down what the session is about to become. */
  async #save(graph: GraphImage, ending?: JobRecord): Promise<void> {
    const jobs = this.#keeper ? this.#jobs.ended(ending) : [];
    await this.#keeper?.save({ sessionId: this.#id, graph, jobs, lastNumber: this.#numbers.last });
    await this.#keeper?.prune(graph);
  }

  /** Takes up the chain of a session that was restored; where that cannot be done, it goes on from its picture. */
  async #wake(signal: AbortSignal): Promise<Continuity> {
    try {
      await this.#keeper?.wake(this.#model.record, this.#navigation.state.depth > 0, signal);
      return "exact";
    } catch (error) {
      if (!(error instanceof SvcError && error.code === "state_invalid")) throw error;
      this.#options.onEvent?.({ level: "error", event: "world_from_picture", detail: { error } });
      this.#keeper?.fallBack();
      await this.#navigation.leaveFor(this.#atPicture());
      this.events.notify({ event: "snapshot" });
      return "picture";
    }
  }

  /** A new world from the picture that is shown. */
  #atPicture(): SessionState {
    const { state } = this.#navigation;
    const { frame, depth, transitions } = state;
    return depth > 0 && frame ? stateAtSource(this.#options.newId(), frame, transitions) : state;
  }

  /** Releases the model with its chain and the checkpoints: the session continues from its current image. */
  async #loseModel(): Promise<void> {
    await this.#navigation.leaveFor(this.#atPicture());
    await this.#model.unload();
  }

  /** What is kept is made again by the next model; what is not, ends with this one. */
  async #onModelGone(): Promise<void> {
    const keeper = this.#keeper;
    if (!keeper) return await this.#loseModel();
    await this.#model.unload(() => keeper.leave(this.#navigation.state.depth > 0));
  }

  async #readImage(path: string): Promise<RgbImage> {
    return await this.#options.media.decodeImage(await this.#options.files.readClientFile(path, MAX_IMAGE_BYTES));
  }

  async #startAt(image: RgbImage): Promise<void> {
    const { files, media, newId } = this.#options;
    this.#files.protectFromNow();
    const path = files.statePath(artifactNames(await this.#numbers.next()).source);
    await files.writeNew(path, await media.encodePng(image));
    await this.#navigation.leaveFor(stateAtSource(newId(), { image, path }));
  }
}
