/**
 * A world session: a graph of generated states, one operation at a time.
 *
 * @module
 */
import { acceptRollout, acceptTransition, acceptUndo } from "./moves/accept_move.ts";
import { readCheckpointRequest } from "./graph/checkpoints.ts";
import type { JobView } from "./moves/job.ts";
import type { Continuity } from "./journal/session_image.ts";
import { INITIAL_STATE } from "./graph/session_state.ts";
import { readResetRequest } from "../protocol/requests/start_requests.ts";
import { SessionChain } from "./session_chain.ts";
import { SessionCheckpoints } from "./session_checkpoints.ts";
import { SessionCore } from "./session_core.ts";
import type { SessionEvents } from "./session_events.ts";
import { SessionOperations, type StartedWalk } from "./session_operations.ts";
import type { WorldSessionOptions } from "./session_options.ts";
import type { StoredFile } from "./world_files.ts";
import { sessionSnapshot, walkRecord } from "./session_records.ts";
import type { WalkRecord } from "../protocol/walk_record.ts";
import { SourceDistance } from "./source_distance.ts";
import { WalkVideo } from "./walk_video.ts";
import type { BackendName, CheckpointRecord, SessionPhase, StartCheck, WorldSnapshot } from "../protocol/wire.ts";
import type { JobRecord } from "../protocol/job_record.ts";
import { SvcError } from "../../errors/svc_error.ts";

/**
 * One session. Methods that change it run one at a time: a concurrent one fails with `session_busy` at once. Reading
 * never waits.
 *
 * @example
 * ```ts ignore
 * const session = new WorldSession({ model, record, roots, media, files, clock: () => new Date(), newId });
 * await session.setSource(png);
 * const { jobId } = await session.startRollout({ prompt: "a corridor", actionSeq: ["w"], numOutputFrames: 3 });
 * console.log(session.job(jobId).record().status);
 * ```
 */
export class WorldSession {
  readonly #core: SessionCore;
  readonly #chain: SessionChain;
  readonly #operations: SessionOperations;
  readonly #checkpoints: SessionCheckpoints;
  readonly #closing = new AbortController();
  readonly #source: SourceDistance;
  readonly #video: WalkVideo;

  /** A session without an image; nothing is loaded. */
  constructor(options: WorldSessionOptions) {
    const core = new SessionCore(options);
    this.#core = core;
    this.#chain = new SessionChain(core);
    this.#operations = new SessionOperations(core, this.#chain);
    this.#checkpoints = new SessionCheckpoints(core);
    this.#source = new SourceDistance(core);
    this.#video = new WalkVideo({ ...core.options, nextNumber: () => core.nextNumber("walk") });
  }

  /** Notices of changes, for clients that do not want to poll. */
  get events(): SessionEvents {
    return this.#core.events;
  }

  /** The kind of world model. */
  get backend(): BackendName {
    return this.#core.options.backend.name;
  }

  /** The phase of the session. */
  get phase(): SessionPhase {
    return this.#core.model.phase;
  }

  /** @internal How it continues after its last process; undefined in a new session. */
  get continuity(): Continuity | undefined {
    return this.#core.keeper?.continuity;
  }

  /** Path of the current image; undefined while there is none. */
  get framePath(): string | undefined {
    return this.#core.navigation.state.frame?.path;
  }

  /**
   * Opens a file of the session; undefined when there is none.
   *
   * @throws {SvcError} `media_expired` when it was removed because there were too many bytes.
   */
  openFile(path: string): Promise<StoredFile | undefined> {
    return this.#core.files.open(path);
  }

  /** The current snapshot. */
  snapshot(): WorldSnapshot {
    const { id, model, navigation, options: { backend }, keeper } = this.#core;
    const session = { sessionId: id, phase: model.phase, model: model.record, backend, job: this.#operations.job };
    const sourceDistance = this.#source.at(navigation.state.path);
    return sessionSnapshot({ ...session, navigation, continuity: keeper?.continuity, sourceDistance });
  }

  /** @internal Where the camera has been, and the requests that make every move again; never waits for the model. */
  async walk(): Promise<WalkRecord> {
    const { id, navigation, options: { backend, roots } } = this.#core;
    const found = await roots().catch(() => undefined);
    return walkRecord({ sessionId: id, backend, navigation, roots: found });
  }

  /**
   * File of the video of the active path, one MP4.
   *
   * @throws {SvcError} `media_not_found`, `walk_too_large`, and what writing throws.
   */
  walkVideo(): Promise<string> {
    return this.#video.of(this.#core.navigation.state.path);
  }

  /**
   * Loads and warms up the model; returns at once if it is ready.
   *
   * @param size Of the moves that will follow: that of the world by default, else the model's own.
   * @param leaving Stops it between two steps of the model, when nobody waits any more.
   * @throws {SvcError} `server_stopping` when the session is closed meanwhile, `model_unavailable`, `session_busy`.
   */
  prepare(
    size: { readonly width?: number | undefined; readonly height?: number | undefined } = {},
    leaving?: AbortSignal,
  ): Promise<WorldSnapshot> {
    return this.#change("prepare the session", async () => {
      await this.#chain.load(size, this.#closing.signal, leaving);
      await this.#source.measure();
    });
  }

  /**
   * Writes the state of a session that nobody uses to the disk, and gives the memory of its chain back; the next move
   * takes it up again, bit for bit. Returns whether it has: a session that is busy or not kept stays as it is.
   *
   * @internal
   */
  park(): Promise<boolean> {
    return this.#chain.park();
  }

  /** @internal Whether the model's memory was given back while nobody used the session. */
  get isParked(): boolean {
    return this.#core.model.loaded && this.#core.keeper?.isAsleep === true;
  }

  /** @internal Whether something is changing it. */
  get isBusy(): boolean {
    return this.#core.guard.isActive;
  }

  /** @internal Whether the model has a chain of it, or is about to. */
  get holdsMemory(): boolean {
    return this.isBusy || this.#chain.holdsMemory;
  }

  /** Throws `session_busy` while another operation runs; `action` follows "Cannot" in the message. */
  checkIdle(action: string): void {
    this.#operations.check(action);
  }

  /** Starts a new world from the bytes of an image file. Checkpoints are deleted. */
  setSource(bytes: Uint8Array): Promise<WorldSnapshot> {
    return this.#change("take a source image", async () => {
      await this.#core.startAt(await this.#core.options.media.decodeImage(bytes));
      await this.#source.measure();
    });
  }

  /** @internal What a world that began with the bytes of an image file would begin with; the session stays as it is. */
  checkSource(bytes: Uint8Array): Promise<StartCheck> {
    return this.#source.check(bytes);
  }

  /** Discards the world and its checkpoints; `body` may name an image for a new one. */
  async reset(body?: unknown): Promise<WorldSnapshot> {
    const { sourceImage } = readResetRequest(body);
    return await this.#change("reset the session", async () => {
      if (sourceImage === undefined) await this.#core.navigation.leaveFor(INITIAL_STATE);
      else await this.#core.startAt(await this.#core.readSource(sourceImage));
    });
  }

  /** Releases the model and the checkpoints. The current image stays, as the origin of a new world. */
  unload(): Promise<WorldSnapshot> {
    return this.#change("unload the session", () => this.#chain.release());
  }

  /**
   * Accepts a rollout: everything is validated except what only the model can check, then the job runs in the
   * background.
   */
  async startRollout(body: unknown): Promise<JobRecord> {
    const request = this.#core.options.backend.readRollout(body);
    return await this.#operations.start("start a rollout", (context) => acceptRollout(request, context));
  }

  /**
   * Accepts a transition, which runs as a background job. The exact inverse of the last edge is replayed: its frames
   * are shown in reverse and its source state is restored, without generating.
   */
  async startTransition(body: unknown): Promise<JobRecord> {
    const request = this.#core.options.backend.readTransition(body);
    return await this.#operations.start("start a transition", (context) => acceptTransition(request, context));
  }

  /**
   * Accepts a walk with one action a block, each of which becomes a state that {@linkcode undo} returns from.
   *
   * @internal
   */
  async startWalk(body: unknown): Promise<StartedWalk> {
    return await this.#operations.startWalk(this.#core.options.backend.readRollout(body));
  }

  /** @internal Starts the replay of the last edge in reverse, whatever it was; `nothing_to_undo` where there is none. */
  undo(): Promise<JobRecord> {
    return this.#operations.start("undo the last move", acceptUndo);
  }

  /**
   * A job of this session.
   *
   * @throws {SvcError} `job_not_found` or `job_expired`.
   */
  job(id: string): JobView {
    return this.#core.jobs.get(id);
  }

  /** Cancels a job; one that has ended is returned unchanged. */
  cancel(id: string): JobRecord {
    const job = this.#core.jobs.get(id);
    job.cancel();
    return job.record();
  }

  /**
   * Saves the current state as a checkpoint. A restored checkpoint continues bit-identically.
   *
   * @throws {SvcError} `session_cold`, `no_current_state`, `too_many_checkpoints`, `unsupported_for_backend`.
   */
  async createCheckpoint(body: unknown): Promise<CheckpointRecord> {
    const action = "create a checkpoint";
    this.#checkpoints.checkSupported(action);
    const name = readCheckpointRequest(body);
    return await this.#operations.run(action, () => this.#checkpoints.create(name));
  }

  /**
   * The checkpoints, oldest first.
   *
   * @throws {SvcError} `session_cold`.
   */
  checkpoints(): readonly CheckpointRecord[] {
    return this.#checkpoints.list();
  }

  /** Path of a checkpoint's image. */
  checkpointFrame(id: string): string {
    return this.#checkpoints.get("show a checkpoint", id).framePath;
  }

  /** Returns to a checkpoint, which is kept. */
  restoreCheckpoint(id: string): Promise<WorldSnapshot> {
    return this.#change("restore a checkpoint", () => this.#checkpoints.restore(id));
  }

  /** Deletes a checkpoint; returns its record. */
  deleteCheckpoint(id: string): Promise<CheckpointRecord> {
    return this.#operations.run("delete a checkpoint", () => this.#checkpoints.delete(id));
  }

  /** Cancels the active job, waits for it and releases everything. */
  async close(): Promise<void> {
    this.#core.guard.close();
    this.#closing.abort(
      new SvcError(
        "server_stopping",
        "Cannot prepare the session: the server is being stopped, try again when it runs again",
      ),
    );
    this.#operations.job?.cancel();
    await this.#operations.ended;
    await this.#chain.parking;
    if (this.#core.keeper) await this.#core.keeper.close();
    else await this.#core.navigation.leaveFor(INITIAL_STATE);
    await Promise.allSettled([this.#core.model.unload(), this.#core.options.media.close()]);
  }

  async #change(action: string, work: () => Promise<unknown>): Promise<WorldSnapshot> {
    await this.#operations.run(action, work);
    return this.snapshot();
  }
}
