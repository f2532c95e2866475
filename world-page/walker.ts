import type { WorldClient } from "../lib/http/world_client.ts";
import type { CameraRecord, JobRecord } from "../lib/world/wire.ts";
import { inverse, type Move } from "./moves.ts";
import type { Messages } from "./messages.ts";
import type { SessionFeed } from "./session_feed.ts";
import type { Stage } from "./stage.ts";
import type { Trail } from "./trail.ts";
import type { Turns } from "./turns.ts";

/** What the walker needs from the rest of the page. */
export interface WalkerParts {
  readonly client: WorldClient;
  readonly feed: SessionFeed;
  readonly turns: Turns;
  readonly stage: Stage;
  readonly trail: Trail;
  readonly messages: Messages;
  /** What is asked for beside the camera: the prompt, and the seed where one is given. */
  readonly scene: () => { readonly prompt: string; readonly seed?: string };
  /** Makes sure that there is a picture to walk from. */
  readonly begin: () => Promise<void>;
}

/** A move, or the way back over the last one. */
export type Step = Move | "back";

/** Frames asked for: one block of three latents, so that the world answers a key as soon as it can. */
const FRAMES = 9;

/** Seconds of video that may be left when the next move of a key that is held is asked for. */
const LEAD = 0.35;

/** Walks: one move after the other while keys are held. */
export class Walker {
  readonly #parts: WalkerParts;
  #held: Step[] = [];
  #next: Step | undefined;
  #walking = false;
  #stops = 0;

  constructor(parts: WalkerParts) {
    this.#parts = parts;
  }

  /** A key goes down: its move is the next, and is repeated until {@link release}. */
  press(step: Step): void {
    this.#held.push(step);
    this.once(step);
  }

  /** A key goes up. */
  release(step: Step): void {
    this.#held = this.#held.filter((held) => held !== step);
  }

  /** All keys are up. */
  releaseAll(): void {
    this.#held = [];
  }

  /** A single move: the next, whatever was waiting. */
  once(step: Step): void {
    this.#next = step;
    void this.#walk();
  }

  /** Gives up what waits, and the job that runs. */
  async cancel(): Promise<void> {
    this.#held = [];
    this.#next = undefined;
    this.#stops++;
    const job = this.#parts.feed.snapshot.active_job;
    if (job) await this.#parts.client.cancel(job.job_id);
  }

  /** Walks back until the session stands at a state of the active path, or until the person stops it. */
  async backTo(stateId: string): Promise<void> {
    const { feed } = this.#parts;
    for (let walks = true; walks; walks = await this.#walkBack()) {
      await feed.idle();
      const { current_state_id: here, state_ids: path } = feed.snapshot;
      if (here === stateId || !path.includes(stateId)) return;
    }
  }

  async #walk(): Promise<void> {
    if (this.#walking) return;
    this.#walking = true;
    try {
      for (let step = this.#take(); step; step = this.#take()) {
        if (step === "back") await this.#walkBack();
        else await this.#go(step.camera, step.done);
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

  /** Waits until the video has nearly been played: a world that is faster than its video must not run ahead of it. */
  async #caughtUp(): Promise<void> {
    for (let wait = this.#parts.stage.ahead - LEAD; wait > 0; wait = this.#parts.stage.ahead - LEAD) {
      await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    }
  }

  /** Returns whether the walk has come back. */
  async #walkBack(): Promise<boolean> {
    const { feed, trail } = this.#parts;
    await feed.idle();
    const { current_state_id: here, state_ids: path, states } = feed.snapshot;
    if (here === undefined || path.length < 2) throw new Error("Cannot walk back: this is where the walk began");
    if (!states.find(({ state_id }) => state_id === path[path.length - 2])?.retained) {
      throw new Error("Cannot walk back: the last move is not kept for it, return to a lock or walk on");
    }
    const camera = trail.cameraTo(here);
    if (camera === undefined) {
      throw new Error(
        "Cannot walk back: this page has not seen by which move the walk came here, " +
          "press the opposite key of that move or return to a lock",
      );
    }
    const way = inverse(camera);
    if (way === undefined) {
      throw new Error("Cannot walk back over a hold: it has no opposite, return to a lock or walk on");
    }
    return await this.#go(way, "Walked on");
  }

  async #go(camera: CameraRecord, done: string): Promise<boolean> {
    const { client, feed, turns, begin, scene } = this.#parts;
    await begin();
    const stops = this.#stops;
    const job = await turns.take(async () => {
      const accepted = await client.startTransition({ ...scene(), camera, num_frames: FRAMES });
      feed.takeJob(accepted);
      return accepted;
    });
    // It may have been stopped before the server had answered.
    if (stops !== this.#stops) feed.takeJob(await client.cancel(job.job_id));
    const ended = await feed.ended(job.job_id);
    this.#tell(ended, done);
    return ended.status === "completed";
  }

  #tell({ status, receipt, error }: JobRecord, done: string): void {
    const { messages } = this.#parts;
    if (status === "failed") throw new Error(error?.message ?? "Cannot finish the move: the server does not say why");
    if (status === "cancelled") return messages.say("The move was stopped, the walk stands where it was.");
    messages.say(
      receipt?.replayed ? "Walked back the way it came." : `${done}, now at place ${receipt?.transition_index}.`,
    );
  }
}
