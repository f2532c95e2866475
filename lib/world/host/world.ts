/**
 * A world that is walked in this process.
 *
 * @module
 */
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import type { Media } from "../../media/video/media.ts";
import { cameraOfKeys } from "../protocol/camera_keys.ts";
import { parseWalkActions } from "../protocol/walk_actions.ts";
import type { BackendName, CheckpointRecord, WorldSnapshot } from "../protocol/wire.ts";
import type { CameraRecord, JobRecord, TransitionReceipt } from "../protocol/job_record.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { MadeChunk } from "../session/moves/chunk_publisher.ts";
import type { StartedWalk } from "../session/session_operations.ts";
import type { WorldSession } from "../session/world_session.ts";
import { SessionJobs } from "./session_jobs.ts";

/** One block of a walk. On an arworld: three latents, 9 frames at the start of a world and 12 everywhere else. */
export interface WalkedBlock {
  /** The keys of the block such as `w` or `wl`, a dot for standing still, or the motion of a camera move. */
  readonly action: string;
  /** Number of the first frame, counted from the start of its walk or move. */
  readonly firstFrame: number;
  /** The images. The first block of a walk or move that continues a chain begins with the last frame before it. */
  readonly frames: RgbFrames;
  /** The frames as a self-contained fragmented MP4. */
  readonly mp4: Uint8Array;
}

/** Options of {@linkcode World.walk}. */
export interface WalkOptions {
  /** Describes the scene; the world's own prompt by default. */
  readonly prompt?: string;
  /** Cancels what is being made; the blocks that the loop was given stay. */
  readonly signal?: AbortSignal;
  /** Speed of an arworld's camera: 0.05 units and one degree a frame at 1; 1.5 by default. */
  readonly speed?: number;
}

/** Options of {@linkcode World.move}. */
export interface MoveOptions {
  /** Describes the scene; the world's own prompt by default. */
  readonly prompt?: string;
  /** Cancels the move; the world is then exactly where it was before. */
  readonly signal?: AbortSignal;
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
  /** The chunks of the move that led to each state. */
  readonly #videos = new Map<string, readonly Uint8Array[]>();
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
   * ahead of the loop. Each action is a move, which {@linkcode back} undoes. A loop may be left early, `signal` may abort
   * and a move may fail: the moves that the loop was given whole stay, and what was made beyond them is rolled back.
   *
   * @param actions One word for each block: a combination of the keys `w a s d` (move) and `i j k l` (look) such as `w`
   * or `wl`, a dot for standing still, followed by a number (`w3`) for several blocks.
   * @throws {SvcError} `invalid_actions` when a word is not an action
   * @throws {SvcError} `session_busy` while another move runs, and what generation throws
   */
  async *walk(actions: readonly string[], options: WalkOptions = {}): AsyncGenerator<WalkedBlock, void, void> {
    const walk = parseWalkActions(actions);
    if (this.backend === "actionworld") {
      for (const action of walk.actions) yield* this.#transition(cameraOfKeys(action), options, shown(action));
      return;
    }
    const { session, prompt, seed, fps, size } = this.#parts;
    const body = {
      prompt: options.prompt ?? prompt,
      actionSeq: walk.actions,
      actionSpeedList: walk.weights,
      numOutputFrames: walk.latentFrames,
      ...options.speed !== undefined && { speed: options.speed },
      seed: String(seed),
      fps,
      ...size,
    };
    let keep: StartedWalk["keep"] = () => undefined;
    const start = async (): Promise<JobRecord> => {
      const started = await session.startWalk(body);
      keep = started.keep;
      return started.job;
    };
    for await (const { block, firstFrame, frames, mp4 } of this.#jobs.run(start, options.signal)) {
      const state = keep();
      if (state === undefined) continue; // the walk has failed meanwhile, and ends
      this.#remember(state, [mp4]);
      yield { action: shown(walk.actions[block]), firstFrame, frames, mp4 };
    }
  }

  /**
   * Makes one camera move. The exact inverse of the last move is replayed: its frames in reverse, the state before it
   * restored bit for bit, nothing generated.
   *
   * @param camera A camera move, or keys such as `w` or `jw`, a dot for standing still.
   * @throws {SvcError} when the move is invalid, another one runs or generation fails
   */
  async move(camera: CameraRecord | string, options: MoveOptions = {}): Promise<WorldMove> {
    const record = typeof camera === "string" ? cameraOfKeys(camera) : camera;
    return await this.#gather(
      this.#transition(record, options, typeof camera === "string" ? shown(camera) : camera.motion),
    );
  }

  /**
   * Undoes the last move of the path exactly, without generating: a {@linkcode move}, or a block of a
   * {@linkcode walk}. Its frames come in reverse, and the state before it is restored bit for bit.
   *
   * @throws {SvcError} `nothing_to_undo` at the first image, and where more moves were made since than are kept
   */
  async back({ signal }: { readonly signal?: AbortSignal } = {}): Promise<WorldMove> {
    const { blocks, receipt } = await this.#gather(this.#follow(() => this.#parts.session.undo(), signal, ""));
    return { blocks: blocks.map((block) => ({ ...block, action: receipt.camera.motion })), receipt };
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
    { prompt, signal, frames }: MoveOptions,
    action: string,
  ): AsyncGenerator<WalkedBlock, TransitionReceipt, void> {
    const { session, prompt: own, seed, fps, size } = this.#parts;
    const body = {
      prompt: prompt ?? own,
      camera,
      ...frames !== undefined && { numFrames: frames },
      seed: String(seed),
      fps,
      ...size,
    };
    return yield* this.#follow(() => session.startTransition(body), signal, action);
  }

  /** Runs a transition and yields its blocks; remembers what video belongs to the state that it leads to. */
  async *#follow(
    start: () => Promise<JobRecord>,
    signal: AbortSignal | undefined,
    action: string,
  ): AsyncGenerator<WalkedBlock, TransitionReceipt, void> {
    const mp4s: Uint8Array[] = [];
    let last: WalkedBlock | undefined;
    const job = this.#jobs.run(start, signal);
    try {
      while (true) {
        const { done, value } = await job.next();
        if (done) {
          const receipt = value as TransitionReceipt;
          if (!receipt.replayed) this.#remember(receipt.stateId, mp4s);
          if (last) yield last;
          return receipt;
        }
        const { jobId, block, firstFrame, frames, mp4 } = value;
        mp4s.push(mp4);
        const shown = { action, firstFrame, frames, mp4 };
        // The last one is given when the move is complete, so that it stays if the loop is left then.
        if (block + 1 === this.#parts.session.job(jobId).chunks[block].blockCount) last = shown;
        else yield shown;
      }
    } finally {
      await job.return(undefined as never); // cancels the job of a loop that was left
    }
  }

  async #gather(move: AsyncGenerator<WalkedBlock, TransitionReceipt, void>): Promise<WorldMove> {
    const blocks: WalkedBlock[] = [];
    while (true) {
      const { done, value } = await move.next();
      if (done) return { blocks, receipt: value };
      blocks.push(value);
    }
  }

  /** Remembers the video of the move to a state, and forgets those of states that are gone. */
  #remember(state: string, mp4s: readonly Uint8Array[]): void {
    this.#videos.set(state, mp4s);
    const known = new Set(this.snapshot().states.map(({ stateId }) => stateId));
    for (const id of this.#videos.keys()) if (!known.has(id)) this.#videos.delete(id);
  }
}

/** An action as callers write it. */
function shown(action: string): string {
  return action === " " ? "." : action;
}
