/**
 * A world that is walked in this process.
 *
 * @module
 */
import type { Media } from "../../media/video/media.ts";
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import { LATENTS_PER_BLOCK } from "../../models/arworld/trajectory.ts";
import type { WorldModel, WorldModelInfo } from "../../models/world/world_model.ts";
import { type Matrix4, ORIGIN } from "../../world/protocol/pose.ts";
import { planRollout } from "../../world/protocol/rollout_plan.ts";
import { effectiveSeed } from "../../world/session/effective_seed.ts";
import { NO_MEMORIES, type SceneMemory, visitBlock } from "../../world/session/scene_memory.ts";
import { DEFAULT_SCENE_MEMORY } from "../../world/protocol/scene_memory_policy.ts";
import { parseWalkActions } from "../../world/protocol/walk_actions.ts";
import type { SceneMemoryPolicyRecord } from "../../world/protocol/wire.ts";

/** One block of a walk: three latents, 9 frames at the start of a world and 12 everywhere else. */
export interface WalkedBlock {
  /** The keys that led here; a space stands for holding still. */
  readonly action: string;
  /** Number of the first frame, counted from the start of the world. */
  readonly firstFrame: number;
  /** The pictures of the block. */
  readonly frames: RgbFrames;
  /** The frames as a self-contained fragmented MP4, at their time since the start of the world. */
  readonly mp4: Uint8Array;
}

/** Options of {@linkcode World.walk}. */
export interface WalkOptions {
  /** Describes the place; the world's own prompt when omitted. */
  readonly prompt?: string;
  /** Model-space rate: 0.05 units and one degree a frame for each unit of it; 1.5 when omitted. */
  readonly speed?: number;
  /** Stops the walk before its next block; the world stays where the last whole block ended. */
  readonly signal?: AbortSignal;
}

/** What a {@linkcode World} is made of. */
export interface WorldParts {
  /** Prepared, and begun at the source image. */
  readonly model: WorldModel;
  /** What the model said when it was prepared. */
  readonly info: WorldModelInfo;
  /** Encodes the blocks. */
  readonly media: Media;
  /** Describes the place when a walk does not. */
  readonly prompt: string;
  /** Unsigned, 64 bits. */
  readonly seed: bigint;
  /** Frames a second of the videos. */
  readonly fps: number;
  /** Rules of scene memory; the published ones when omitted. */
  readonly sceneMemory?: SceneMemoryPolicyRecord;
}

/** A generated place and the walk through it so far; made by `openWorld`. */
export class World implements AsyncDisposable {
  /** What was loaded and where it runs. */
  readonly info: WorldModelInfo;
  /** Frames a second of the videos. */
  readonly fps: number;
  readonly #parts: WorldParts;
  readonly #videos: Uint8Array[] = [];
  #blocks = 0;
  #frames = 0;
  /** World-to-camera pose of the last latent. */
  #pose: Matrix4 = ORIGIN;
  #memory: SceneMemory = NO_MEMORIES;
  #busy = false;

  /** Takes over parts that are ready; closing the world closes them. */
  constructor(parts: WorldParts) {
    this.info = parts.info;
    this.fps = parts.fps;
    this.#parts = parts;
  }

  /**
   * Walks on from where the world is, and yields each block as soon as it is made; the next one is made when it is asked
   * for. A loop that is left early leaves the world where its last block ended.
   *
   * @param actions One word for each block: a combination of the keys `w a s d` (move) and `i j k l` (look) such as `w`
   * or `wl`, a dot for standing still, with a number behind it (`w3`) for several blocks.
   * @throws {WalkActionError} when a word is no action
   * @throws {RangeError} when the speed is no positive number
   * @throws {Error} when another walk is under way
   */
  async *walk(actions: readonly string[], options: WalkOptions = {}): AsyncGenerator<WalkedBlock, void, void> {
    const walk = parseWalkActions(actions);
    const { model, media, prompt, seed, sceneMemory = DEFAULT_SCENE_MEMORY } = this.#parts;
    const { speed = DEFAULT_SPEED } = options;
    if (!(Number.isFinite(speed) && speed > 0)) {
      throw new RangeError(`Cannot walk: speed is ${speed}, expected a finite number above 0`);
    }
    if (this.#busy) throw new Error("Cannot walk: another walk is under way in this world, finish it first");
    this.#busy = true;
    try {
      const { blocks } = planRollout({ ...walk, speed }, this.#pose);
      for (const [index, { views, poses }] of blocks.entries()) {
        options.signal?.throwIfAborted();
        const firstLatent = LATENTS_PER_BLOCK * this.#blocks;
        const { memory, block } = visitBlock(this.#memory, sceneMemory, firstLatent, poses);
        const frames = await model.generate(
          { prompt: options.prompt ?? prompt, seed: effectiveSeed(seed, this.#blocks), views, memory: block },
          options.signal === undefined ? {} : { signal: options.signal },
        );
        const firstFrame = this.#frames;
        this.#blocks += 1;
        this.#memory = memory;
        this.#pose = poses[LATENTS_PER_BLOCK - 1];
        this.#frames += frames.count;
        const { bytes } = await media.encodeChunk(frames, { fps: this.fps, firstFrame, container: "fmp4" });
        this.#videos.push(bytes);
        yield { action: walk.actions[index] as string, firstFrame, frames, mp4: bytes };
      }
    } finally {
      this.#busy = false;
    }
  }

  /**
   * The whole walk so far as one MP4 file.
   *
   * @throws {RangeError} before the first block
   */
  async video(): Promise<Uint8Array> {
    return (await this.#parts.media.joinChunks(this.#videos, { fps: this.fps })).bytes;
  }

  /** Releases the model and everything else. */
  async close(): Promise<void> {
    await Promise.all([this.#parts.model.unload(), this.#parts.media.close()]);
  }

  /** The same as {@linkcode close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const DEFAULT_SPEED = 1.5;
