import type { WorldClient } from "../lib/world/client/world_client.ts";
import type { BackendName, CameraRecord, JobRecord } from "../lib/world/protocol/wire.ts";
import type { Messages } from "./messages.ts";
import type { MoveSize } from "../lib/world/protocol/camera_keys.ts";
import type { Move } from "./moves.ts";
import type { SceneWishes } from "./scene_fields.ts";
import type { SessionFeed } from "./session_feed.ts";
import type { Stage } from "./stage.ts";
import type { Trail } from "./trail.ts";
import type { Turns } from "./turns.ts";
import { inverseMove } from "./inverse_move.ts";

/** What the walker needs from the rest of the page. */
export interface WalkerParts {
  readonly client: WorldClient;
  readonly feed: SessionFeed;
  readonly turns: Turns;
  readonly stage: Stage;
  readonly trail: Trail;
  readonly messages: Messages;
  /** What is asked for beside the camera. */
  readonly scene: () => SceneWishes;
  /** How far the moves of keys go. */
  readonly size: () => MoveSize;
  /** Makes sure that there is a picture to walk from. */
  readonly begin: () => Promise<void>;
}

/** A move, or the way back over the last one. */
export type Step = Move | "back";

/** Frames asked for: one block of three latents, the least that an arworld makes; a clip as the server would choose it. */
const FRAMES: Readonly<Record<BackendName, number>> = { arworld: 9, actionworld: 17 };

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
    // It is as long as the move was, whoever has made that.
    return await this.#go(inverseMove(feed.snapshot, trail), "Walked on");
  }

  async #go(camera: CameraRecord, done: string, frames?: number): Promise<boolean> {
    const { client, feed, turns, begin, scene } = this.#parts;
    await begin();
    const stops = this.#stops;
    const job = await turns.take(async () => {
      const accepted = await client.startTransition({ ...scene(), camera, ...(frames && { num_frames: frames }) });
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
