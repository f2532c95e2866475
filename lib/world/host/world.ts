/**
 * A world that is walked in this process.
 *
 * @module
 */
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import type { Media } from "../../media/video/media.ts";
import { cameraOfKeys, inverseCamera } from "../protocol/camera_keys.ts";
import { parseWalkActions } from "../protocol/walk_actions.ts";
import type { BackendName, CheckpointRecord, WorldSnapshot } from "../protocol/wire.ts";
import type { CameraRecord, JobRecord, RolloutReceipt, TransitionReceipt } from "../protocol/job_record.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { MadeChunk } from "../session/moves/chunk_publisher.ts";
import type { WorldSession } from "../session/world_session.ts";
import { SessionJobs } from "./session_jobs.ts";

/** One block of a walk. On an arworld: three latents, 9 frames at the start of a world and 12 everywhere else. */
export interface WalkedBlock {
  /** The keys of the block; a space stands for holding still. */
  readonly action: string;
  /** Number of the first frame, counted from the start of its move. */
  readonly firstFrame: number;
  /** The images. The first block of a move that continues a chain begins with the last frame shown before it. */
  readonly frames: RgbFrames;
  /** The frames as a self-contained fragmented MP4. */
  readonly mp4: Uint8Array;
}

/** Options of a move. */
export interface MoveOptions {
  /** Describes the scene; the world's own prompt by default. */
  readonly prompt?: string;
  /** Cancels the move; the world is then exactly where it was before. */
  readonly signal?: AbortSignal;
}

/** Options of {@linkcode World.walk}. */
export interface WalkOptions extends MoveOptions {
  /** Speed of an arworld's camera: 0.05 units and one degree a frame at 1; 1.5 by default. */
  readonly speed?: number;
}

/** Options of {@linkcode World.move}. */
export interface CameraMoveOptions extends MoveOptions {
  /** Frames to show: 4n + 1 from 5 on an actionworld, rounded up to whole blocks on an arworld; 17 by default. */
  readonly frames?: number;
}

/** A camera move that was made. */
export interface WorldMove {
  /** The blocks or clips of the move, in order. */
  readonly blocks: readonly WalkedBlock[];
  /** What was made, with `replayed` where the move was the inverse of the last one. */
  readonly receipt: TransitionReceipt;
}

/** The parts of a {@linkcode World}. */
export interface WorldParts {
  /** Prepared, with a source image; its `onChunk` calls {@linkcode World.deliver}. */
  readonly session: WorldSession;
  readonly media: Pick<Media, "joinChunks">;
  /** Describes the scene when a move does not. */
  readonly prompt: string;
  readonly seed: bigint;
  /** Frames per second of the videos. */
  readonly fps: number;
  /** As asked for; the model root's own size by default. */
  readonly size: { readonly width?: number; readonly height?: number };
  /** Reads the image that is shown, as PNG. */
  readonly readImage: (path: string) => Promise<Uint8Array>;
  /** Releases what the session does not own. */
  readonly release: () => Promise<void>;
}

/** A world and the path through it; made by `openWorld`. */
export class World implements AsyncDisposable {
  readonly #parts: WorldParts;
  /** The chunks of each state's edge, by state. */
  readonly #videos = new Map<string, readonly Uint8Array[]>();
  /** The camera move that led to each state, where it was a transition. */
  readonly #cameras = new Map<string, CameraRecord>();
  readonly #jobs: SessionJobs;

  /** Takes ownership of initialized parts; closing the world closes them. */
  constructor(parts: WorldParts) {
    this.#parts = parts;
    this.#jobs = new SessionJobs(parts.session);
  }

  /** Frames per second of the videos. */
  get fps(): number {
    return this.#parts.fps;
  }

  /** The kind of world model. */
  get backend(): BackendName {
    return this.#parts.session.backend;
  }

  /** What is loaded, its current state and every other state. */
  snapshot(): WorldSnapshot {
    return this.#parts.session.snapshot();
  }

  /** The image that is shown now, as PNG. */
  async image(): Promise<Uint8Array> {
    const path = this.#parts.session.framePath;
    if (path !== undefined) return await this.#parts.readImage(path);
    throw new SvcError("no_current_state", "Cannot show the world: it has no image yet");
  }

  /**
   * Walks on from where the world is, and yields each block as soon as it is made; generation runs at most one block
   * ahead of the loop. On an arworld the whole walk is one move (a rollout): leaving the loop early, aborting `signal`
   * or a failure takes the world back to where the walk began. On an actionworld each action is a move of its own, and
   * those that were completed stay.
   *
   * @param actions One word for each block: a combination of the keys `w a s d` (move) and `i j k l` (look) such as `w`
   * or `wl`, a dot for standing still, followed by a number (`w3`) for several blocks.
   * @throws {SvcError} `invalid_actions` when a word is not an action
   * @throws {SvcError} `session_busy` while another move runs, and what generation throws
   */
  async *walk(actions: readonly string[], options: WalkOptions = {}): AsyncGenerator<WalkedBlock, void, void> {
    const walk = parseWalkActions(actions);
    if (this.backend === "actionworld") {
      for (const action of walk.actions) yield* this.#transition(cameraOfKeys(action), options, action);
      return;
    }
    const { session, prompt, seed, fps, size } = this.#parts;
    const body = {
      prompt: options.prompt ?? prompt,
      action_seq: walk.actions,
      action_speed_list: walk.weights,
      num_output_frames: walk.latentFrames,
      ...options.speed !== undefined && { speed: options.speed },
      seed: String(seed),
      fps,
      ...size,
    };
    yield* this.#follow(() => session.startRollout(body), options.signal, (block) => walk.actions[block]);
  }

  /**
   * Makes one camera move. The exact inverse of the last move is replayed: its frames in reverse, the state before it
   * restored bit for bit, nothing generated.
   *
   * @param camera A camera move, or keys such as `w` or `j`.
   * @throws {SvcError} when the move is invalid, another one runs or generation fails
   */
  async move(camera: CameraRecord | string, options: CameraMoveOptions = {}): Promise<WorldMove> {
    const record = typeof camera === "string" ? cameraOfKeys(camera) : camera;
    const blocks: WalkedBlock[] = [];
    const walked = this.#transition(record, options, typeof camera === "string" ? camera : record.motion);
    while (true) {
      const { done, value } = await walked.next();
      if (done) return { blocks, receipt: value };
      blocks.push(value);
    }
  }

  /**
   * Undoes the last move of the path exactly, without generating.
   *
   * @throws {SvcError} `nothing_to_undo` when the last move has no inverse: a rollout, a hold, or none at all
   */
  async back(options: MoveOptions = {}): Promise<WorldMove> {
    const { currentStateId: id } = this.snapshot();
    const camera = this.#cameras.get(id ?? "");
    const inverse = camera && inverseCamera(camera);
    if (inverse) return await this.move(inverse, options);
    const message =
      "Cannot undo the last move: there is none with an exact inverse, expected a move() other than a hold";
    throw new SvcError("nothing_to_undo", message);
  }

  /**
   * Keeps the current state under a name: the world can return to it, and continues from it bit for bit.
   *
   * @throws {SvcError} `unsupported_for_backend` on an actionworld, `no_current_state`, `too_many_checkpoints`
   */
  createCheckpoint(name: string): Promise<CheckpointRecord> {
    return this.#parts.session.createCheckpoint({ name });
  }

  /** The checkpoints, oldest first. */
  checkpoints(): readonly CheckpointRecord[] {
    return this.#parts.session.checkpoints();
  }

  /** Returns to a checkpoint, which stays. */
  restoreCheckpoint(id: string): Promise<WorldSnapshot> {
    return this.#parts.session.restoreCheckpoint(id);
  }

  /** Deletes a checkpoint and returns its record. */
  deleteCheckpoint(id: string): Promise<CheckpointRecord> {
    return this.#parts.session.deleteCheckpoint(id);
  }

  /**
   * The path from the first image to the current state as one MP4 file; moves that were undone are not in it.
   *
   * @throws {RangeError} before the first move
   */
  async video(): Promise<Uint8Array> {
    const { stateIds } = this.snapshot();
    const chunks = stateIds.flatMap((id) => this.#videos.get(id) ?? []);
    return (await this.#parts.media.joinChunks(chunks, { fps: this.fps })).bytes;
  }

  /** Cancels what runs and releases the model and everything else. */
  async close(): Promise<void> {
    this.#jobs.close();
    await this.#parts.session.close();
    await this.#parts.release();
  }

  /** The same as {@linkcode close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Takes the chunks of the running job from the session. */
  deliver(chunk: MadeChunk): Promise<void> {
    return this.#jobs.deliver(chunk);
  }

  async *#transition(
    camera: CameraRecord,
    { prompt, signal, frames }: CameraMoveOptions,
    action: string,
  ): AsyncGenerator<WalkedBlock, TransitionReceipt, void> {
    const { session, prompt: own, seed, fps, size } = this.#parts;
    const body = {
      prompt: prompt ?? own,
      camera,
      ...frames !== undefined && { num_frames: frames },
      seed: String(seed),
      fps,
      ...size,
    };
    return yield* this.#follow(() => session.startTransition(body), signal, () => action) as AsyncGenerator<
      WalkedBlock,
      TransitionReceipt,
      void
    >;
  }

  /** Runs a job and yields its blocks; remembers what video and camera move belong to the state it leads to. */
  async *#follow(
    start: () => Promise<JobRecord>,
    signal: AbortSignal | undefined,
    action: (block: number) => string,
  ): AsyncGenerator<WalkedBlock, TransitionReceipt | RolloutReceipt, void> {
    const mp4s: Uint8Array[] = [];
    const job = this.#jobs.run(start, signal);
    try {
      while (true) {
        const { done, value } = await job.next();
        if (done) {
          this.#remember(value, mp4s);
          return value;
        }
        const { block, firstFrame, frames, mp4 } = value;
        mp4s.push(mp4);
        yield { action: action(block), firstFrame, frames, mp4 };
      }
    } finally {
      await job.return(undefined as never); // cancels the job of a loop that was left
    }
  }

  #remember(receipt: TransitionReceipt | RolloutReceipt, mp4s: readonly Uint8Array[]): void {
    if (!("replayed" in receipt && receipt.replayed)) {
      this.#videos.set(receipt.stateId, mp4s);
      if ("camera" in receipt) this.#cameras.set(receipt.stateId, receipt.camera);
    }
    const known = new Set(this.snapshot().states.map(({ stateId }) => stateId));
    for (const id of this.#videos.keys()) {
      if (known.has(id)) continue;
      this.#videos.delete(id);
      this.#cameras.delete(id);
    }
  }
}
