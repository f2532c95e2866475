import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { ChunkRecord, JobRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { ChunkPlayer } from "./chunk_player.ts";
import { byId } from "../ui/dom.ts";
import { SmoothPicture } from "./smooth_picture.ts";
import { type Size, StageBox } from "./stage_box.ts";
import type { Messages } from "../ui/messages.ts";

const NO_VIDEO = "This browser cannot play the video stream of the world (H.264 through MediaSource); " +
  "each move shows its last frame instead";

/** Stands for the id of a state before there is one. */
const NOWHERE = "nowhere";

/**
 * Shows the world: the video of the walk, and a still picture where there is no video. Before there is a world, it shows
 * the picture that one would start from.
 */
export class Stage {
  readonly #client: WorldClient;
  readonly #messages: Messages;
  readonly #box = new StageBox();
  readonly #smooth = new SmoothPicture((on) => this.#box.smooth(on));
  readonly #still = byId("still", HTMLImageElement);
  #player: ChunkPlayer | undefined;
  #snapshot: WorldSnapshot | undefined;
  /** The state that the video ends at. */
  #shown: string | undefined;
  readonly #running = new Set<string>();
  #played: string | undefined;

  readonly #start: Uint8Array | undefined;

  /** @param start The picture that a new world would start from. */
  constructor(client: WorldClient, messages: Messages, start: Uint8Array | undefined) {
    this.#client = client;
    this.#messages = messages;
    this.#start = start;
    const onShown = (): void => this.#cover(false);
    if (ChunkPlayer.isSupported) this.#player = new ChunkPlayer(byId("video", HTMLVideoElement), onShown);
    else messages.say(`${NO_VIDEO}.`);
  }

  /** The frames of the world have this size. */
  frame(size: Size): void {
    this.#box.frame(size);
  }

  /** Seconds of video that are still to be shown. */
  get ahead(): number {
    return document.hidden ? 0 : this.#player?.ahead ?? 0;
  }

  /** Shows the current state, unless the video does. */
  snapshot(snapshot: WorldSnapshot): void {
    this.#snapshot = snapshot;
    this.#settle();
  }

  /** Takes note of a job: a completed one's video ends at the state it led to. */
  job({ jobId, status, receipt, rolloutReceipt }: JobRecord): void {
    const isOver = status === "completed" || status === "cancelled" || status === "failed";
    if (!isOver) {
      this.#running.add(jobId);
      this.#snapshot = undefined; // the known snapshot is outdated
      return;
    }
    this.#running.delete(jobId);
    if (status === "completed" && this.#player) this.#shown = (receipt ?? rolloutReceipt)?.stateId;
    else if (this.#played === jobId) this.#shown = undefined;
    this.#settle();
  }

  /** Plays a chunk of a job; returns whether it can be shown now. */
  async chunk(jobId: string, { mediaPath, codec, pixelFrameCount: frames }: ChunkRecord): Promise<boolean> {
    const player = this.#player;
    if (!player) return false;
    this.#played = jobId;
    const bytes = this.#client.media(mediaPath);
    try {
      await player.append({ jobId, codec, frames, bytes });
      return true;
    } catch (error) {
      // A cancelled job's files are gone; a file that exists but does not play never will.
      if (await bytes.then(() => true, () => false)) this.#giveVideoUp(error);
      return false;
    }
  }

  #giveVideoUp(error: unknown): void {
    if (!this.#player) return;
    this.#player = undefined;
    this.#shown = undefined;
    this.#messages.fail(error);
    this.#settle();
  }

  /** Shows a still picture if the video does not end at the current state. */
  #settle(): void {
    const snapshot = this.#snapshot;
    if (!snapshot || snapshot.activeJob || this.#running.size > 0) return;
    const next = snapshot.currentStateId ?? NOWHERE;
    if (next === this.#shown) return;
    this.#shown = next;
    this.#player?.cut();
    void this.#messages.attempt(() => this.#showStill(snapshot.currentFrameMediaPath));
  }

  async #showStill(path: string | undefined): Promise<void> {
    const state = this.#shown;
    const bytes = path === undefined ? this.#start : await this.#client.media(path);
    if (state !== this.#shown) return;
    if (bytes === undefined) return this.#cover(false);
    const picture = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
    URL.revokeObjectURL(this.#still.src);
    this.#still.src = picture;
    await this.#still.decode();
    const size = { width: this.#still.naturalWidth, height: this.#still.naturalHeight };
    this.#box.picture(size);
    this.#still.classList.toggle("frame", this.#box.isFrame(size));
    this.#cover(true);
  }

  /** Puts the still picture over the video, or takes it away. */
  #cover(by: boolean): void {
    this.#still.hidden = !by;
    this.#smooth.draw();
  }
}
