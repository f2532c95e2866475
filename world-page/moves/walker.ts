/**
 * Walks by steps, and requests the next one of a held key early enough.
 *
 * @module
 */
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { BackendName } from "../../lib/world/protocol/wire.ts";
import type { CameraRecord, JobRecord } from "../../lib/world/protocol/job_record.ts";
import type { Messages } from "../ui/messages.ts";
import type { MoveSize } from "../../lib/world/protocol/camera_keys.ts";
import { inverseMove, type Move } from "./moves.ts";
import type { SceneValues } from "./move_fields.ts";
import type { SessionFeed, Turns } from "../session/session_feed.ts";
import type { Stage } from "../picture/stage.ts";
import type { WalkFeed } from "../session/walk_feed.ts";

/** What the walker depends on. */
interface WalkerParts {
  readonly client: WorldClient;
  readonly feed: SessionFeed;
  readonly turns: Turns;
  readonly stage: Stage;
  readonly lead: Lead;
  readonly walks: WalkFeed;
  readonly messages: Messages;
  /** The fields of a move besides the camera. */
  readonly scene: () => SceneValues;
  /** The size of key moves. */
  readonly size: () => MoveSize;
  /** Called with an accepted move and the time at which it was asked for. */
  readonly asked: (job: JobRecord, at: number) => void;
  /** Ensures that there is a picture to walk from. */
  readonly begin: () => Promise<void>;
}

/** A move, or the inverse of the last one. */
export type Step = Move | "back";

/**
 * Frames to request: one block of three latents, the minimum of an arworld; a clip of the default length for an
 * actionworld.
 */
const FRAMES: Readonly<Record<BackendName, number>> = { arworld: 9, actionworld: 17 };

/** Walks: one move after the other while keys are held. */
export class Walker {
  readonly #parts: WalkerParts;
  #held: Step[] = [];
  #next: Step | undefined;
  #walking = false;
  #stops = 0;
  /** The job of the move that is under way. */
  #running: string | undefined;

  constructor(parts: WalkerParts) {
    this.#parts = parts;
  }

  /** A key goes down: its move is next, and repeats until {@link release}. */
  press(step: Step): void {
    this.#held.push(step);
    this.once(step);
  }

  /** A key goes up. */
  release(step: Step): void {
    this.#held = this.#held.filter((held) => held !== step);
  }

  /** Some keys of a held move go up: the others are held, and next if that move was. */
  exchange(step: Step, rest: Step): void {
    this.#held = this.#held.map((held) => held === step ? rest : held);
    if (this.#next === step) this.#next = rest;
  }

  /** All keys are up. */
  releaseAll(): void {
    this.#held = [];
  }

  /** A single move: it is next, replacing a pending one. */
  once(step: Step): void {
    this.#next = step;
    void this.#walk();
  }

  /** Cancels the pending move and the running job. */
  async cancel(): Promise<void> {
    this.#held = [];
    this.#next = undefined;
    this.#stops++;
    // The snapshot may be older than the move; after a reload of the page it is all there is.
    const id = this.#running ?? this.#parts.feed.snapshot.activeJob?.jobId;
    if (id !== undefined) await this.#parts.client.cancel(id);
  }

  /** Walks back until a state of the active path is reached, or the user stops it. */
  async backTo(stateId: string): Promise<void> {
    const { feed } = this.#parts;
    for (let walks = true; walks; walks = await this.#walkBack()) {
      await feed.idle();
      const { currentStateId: here, stateIds: path } = feed.snapshot;
      if (here === stateId || !path.includes(stateId)) return;
    }
  }

  async #walk(): Promise<void> {
    if (this.#walking) return;
    this.#walking = true;
    try {
      for (let step = this.#take(); step; step = this.#take()) {
        if (step === "back") await this.#walkBack();
        else await this.#go(step.camera(this.#parts.size()), step.done, FRAMES[this.#parts.feed.snapshot.backend]);
        await this.#caughtUp();
      }
    } catch (error) {
      this.#held = [];
      this.#next = undefined;
      this.#parts.messages.fail(error);
    } finally {
      this.#walking = false;
    }
  }

  #take(): Step | undefined {
    const step = this.#next ?? this.#held.at(-1);
    this.#next = undefined;
    return step;
  }

  /** Waits until the video has nearly been played: a world faster than its video must not run ahead of it. */
  async #caughtUp(): Promise<void> {
    const { stage, lead } = this.#parts;
    for (let wait = stage.ahead - lead.seconds; wait > 0; wait = stage.ahead - lead.seconds) {
      await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    }
  }

  /** Returns whether the move was completed. */
  async #walkBack(): Promise<boolean> {
    const { feed, walks } = this.#parts;
    await feed.idle();
    const { snapshot } = feed;
    // The server uses the length of the original move.
    return await this.#go(inverseMove(snapshot, await walks.of(snapshot)), "Walked on");
  }

  async #go(camera: CameraRecord, done: string, frames?: number): Promise<boolean> {
    const { client, feed, turns, begin, scene, asked } = this.#parts;
    await begin();
    const stops = this.#stops;
    const job = await turns.take(async () => {
      const at = performance.now();
      const accepted = await client.startTransition({ ...scene(), camera, ...(frames && { numFrames: frames }) });
      asked(accepted, at);
      feed.takeJob(accepted);
      return accepted;
    });
    // It may have been stopped before the server had answered.
    if (stops !== this.#stops) feed.takeJob(await client.cancel(job.jobId));
    this.#running = job.jobId;
    const ended = await feed.ended(job.jobId).finally(() => this.#running = undefined);
    this.#report(ended, done);
    return ended.status === "completed";
  }

  #report({ status, receipt, error }: JobRecord, done: string): void {
    const { messages } = this.#parts;
    if (status === "failed") throw new Error(error?.message ?? "Cannot finish the move: the server gave no reason");
    if (status === "cancelled") return messages.say("Move stopped; the walk is where it was.");
    messages.say(
      receipt?.replayed ? "Walked back." : `${done}, now at state ${receipt?.transitionIndex}.`,
    );
  }
}

/** Minimum and maximum of unplayed video, in seconds, at which the next move of a held key is requested. */
const LEAST = 0.35;
const MOST = 2.5;

/** The next moves may take this much longer than the slowest of the last ones. */
const RESERVE = 1.4;

/** What remains of the slowest move with each that follows: a machine that is busy once will soon be again. */
const MEMORY = 0.97;

/**
 * How early the next move of a held key has to be requested so that its video is there in time: as long before the end
 * of the last one as the slowest move of late has taken from the request to the first frames. A quiet machine is hardly
 * ahead, and so turns at once; one that others use keeps a stock, and does not freeze when they do.
 */
export class Lead {
  #asked: { readonly id: string; readonly at: number } | undefined;
  #slowest = 0;

  /** A move was requested at a time, in milliseconds of any clock. */
  asked(jobId: string, at: number): void {
    this.#asked = { id: jobId, at };
  }

  /** A move waits for its model, which no later one will. */
  loads(jobId: string): void {
    if (jobId === this.#asked?.id) this.#asked = undefined;
  }

  /** The first frames of a move can be shown since a time of the same clock. */
  shown(jobId: string, at: number): void {
    if (jobId !== this.#asked?.id) return;
    const taken = (at - this.#asked.at) / 1000;
    this.#slowest = Math.max(taken, this.#slowest * MEMORY);
    this.#asked = undefined;
  }

  /** Seconds of unplayed video at which to request the next move. */
  get seconds(): number {
    return Math.min(MOST, Math.max(LEAST, this.#slowest * RESERVE));
  }
}
