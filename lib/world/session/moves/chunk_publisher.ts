/**
 * Publishes the chunks of a move while it is being generated.
 *
 * @module
 */
import { frameAt, type RgbFrames, type RgbImage } from "../../../media/images/rgb_image.ts";
import type { Job } from "./job.ts";
import type { KeptFrames } from "../graph/edges.ts";
import type { WorldMedia } from "../world_files.ts";
import type { WriteNew } from "../rollback.ts";

/** Where the chunks of a move go. */
export interface ChunkOptions {
  readonly job: Job;
  readonly media: WorldMedia;
  readonly fps: number;
  /** Number of chunks of the move. */
  readonly chunks: number;
  /** Absolute path of a chunk's file. */
  readonly chunkPath: (chunk: number) => string;
  /** Absolute path for the raw frames of a chunk; without it they are not kept. */
  readonly keptPath: ((chunk: number) => string) | undefined;
  readonly write: WriteNew;
  readonly deliver: DeliverChunk | undefined;
}

/** A chunk as a host in the same process receives it. */
export interface MadeChunk {
  /** Id of the job. */
  readonly jobId: string;
  /** Index of the chunk within the job, from 0. */
  readonly block: number;
  /** Number of its first frame within the job. */
  readonly firstFrame: number;
  /** The images. */
  readonly frames: RgbFrames;
  /** The frames as a self-contained fragmented MP4 whose timestamps are absolute within the job. */
  readonly mp4: Uint8Array<ArrayBuffer>;
}

/** Called with each chunk once its file is complete; generation runs at most one chunk ahead of what it returns. */
export type DeliverChunk = (chunk: MadeChunk) => Promise<void>;

/**
 * Encodes and writes chunks one at a time, while the next one is generated; a chunk is listed in the job once its file
 * is complete.
 */
export class ChunkPublisher {
  readonly #options: ChunkOptions;
  // A chunk that cannot be written stops the generation of later ones.
  readonly #broken = new AbortController();
  /** Aborts when the job is cancelled and when a chunk has failed. */
  readonly signal: AbortSignal;
  readonly #bytes: Uint8Array<ArrayBuffer>[] = [];
  readonly #kept: KeptFrames[] = [];
  #last: RgbImage | undefined;
  #shown = 0;
  #next = 0;
  #working: Promise<void> = Promise.resolve();

  constructor(options: ChunkOptions) {
    this.#options = options;
    this.signal = AbortSignal.any([options.job.signal, this.#broken.signal]);
  }

  /** The last frame received. */
  get lastFrame(): RgbImage | undefined {
    return this.#last;
  }

  /** Number of frames received. */
  get frames(): number {
    return this.#shown;
  }

  /** The files of the complete chunks. */
  get bytes(): readonly Uint8Array<ArrayBuffer>[] {
    return this.#bytes;
  }

  /** The raw frames that were kept. */
  get kept(): readonly KeptFrames[] {
    return this.#kept;
  }

  /**
   * Takes the frames of the next chunk, which must not change afterwards. Resolves when the previous chunk is complete.
   */
  async add(frames: RgbFrames): Promise<void> {
    const chunk = this.#next++;
    const firstFrame = this.#shown;
    this.#shown += frames.count;
    const last = frameAt(frames, frames.count - 1);
    this.#last = { ...last, data: last.data.slice() };
    const before = this.#working;
    this.#working = before.then(() => this.#publish(chunk, frames, firstFrame));
    this.#working.catch((error) => this.#broken.abort(error));
    await before;
  }

  /** Waits until all writes have ended; rejects with the first failure. */
  async finish(): Promise<void> {
    await this.#working;
  }

  async #publish(chunk: number, frames: RgbFrames, firstFrame: number): Promise<void> {
    const { job, media, fps, chunks, chunkPath, keptPath, write, deliver } = this.#options;
    this.signal.throwIfAborted();
    const { bytes, codec } = await media.encodeChunk(frames, { fps, firstFrame, container: "fmp4" });
    this.signal.throwIfAborted();
    const path = chunkPath(chunk);
    await write(path, bytes);
    this.#bytes.push(bytes);
    job.addChunk({ block: chunk, blocks: chunks, firstFrame, frames: frames.count, codec, path });
    if (keptPath) {
      const kept = keptPath(chunk);
      await write(kept, frames.data);
      this.#kept.push({ path: kept, count: frames.count });
    }
    await deliver?.({ jobId: job.id, block: chunk, firstFrame, frames, mp4: bytes });
  }
}
