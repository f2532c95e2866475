/** A chunk of a job's video. */
export interface PlayableChunk {
  readonly jobId: string;
  /** RFC 6381 string. */
  readonly codec: string;
  readonly frames: number;
  /** A fragmented MP4 whose timestamps are absolute within the job. */
  readonly bytes: Promise<Uint8Array>;
}

/** Seconds behind the playhead that stay in memory. */
const KEPT_BEHIND = 10;

/** How long the last frame of a job stays before the equal first frame of the next covers it, in seconds. */
const COVERED_AFTER = 0.002;

/** Offset just inside a frame, in seconds: range ends are rounded. */
const INSIDE = 0.001;

/**
 * Plays the chunks of successive jobs as one gapless video, through one MediaSource buffer.
 * A job that continues the last one starts with the frame that the last one ended with. It is put over that frame, a
 * little later than its start: so the frame is not shown twice as long, and the buffer loses none that the decoder may
 * have read already. A browser whose decoder has read a frame that is replaced waits for a seek, which shows frames out
 * of order for a moment.
 */
export class ChunkPlayer {
  readonly #video: HTMLVideoElement;
  readonly #source = new MediaSource();
  #buffer: SourceBuffer | undefined;
  #codec: string | undefined;
  #queue: Promise<void> = Promise.resolve();
  #jobId: string | undefined;
  #frameSeconds = 0;
  #cut = true;
  readonly #onShown: () => void;

  /**
   * Takes over a video element.
   *
   * @param onShown called when the first frame after a cut is on the screen
   */
  constructor(video: HTMLVideoElement, onShown: () => void) {
    this.#video = video;
    this.#onShown = onShown;
    video.src = URL.createObjectURL(this.#source);
  }

  /** Whether this browser can play the chunks of world servers. */
  static get isSupported(): boolean {
    return typeof MediaSource !== "undefined" && MediaSource.isTypeSupported(typeOf("avc1.42E01E")) &&
      "requestVideoFrameCallback" in HTMLVideoElement.prototype;
  }

  /** Seconds of video that are still to be shown. */
  get ahead(): number {
    return this.#cut ? 0 : Math.max(0, this.#end - this.#video.currentTime);
  }

  /** The next chunk does not continue the video: it is shown at once, from its first frame. */
  cut(): void {
    this.#cut = true;
    this.#jobId = undefined;
  }

  /**
   * Plays a chunk after all earlier ones.
   *
   * @throws {Error} when the browser cannot play it
   */
  append(chunk: PlayableChunk): Promise<void> {
    const appended = this.#queue.then(() => this.#append(chunk));
    this.#queue = appended.catch(() => {});
    return appended;
  }

  get #end(): number {
    const ranges = this.#buffer?.buffered;
    return ranges?.length ? ranges.end(ranges.length - 1) : 0;
  }

  async #append({ jobId, codec, frames, bytes }: PlayableChunk): Promise<void> {
    const video = this.#video;
    const file = await bytes;
    const buffer = await this.#open(codec);
    const isCut = this.#cut;
    const opens = jobId !== this.#jobId;
    const end = this.#end;
    const start = opens && !isCut ? end - this.#frameSeconds + COVERED_AFTER : end;
    if (opens) buffer.timestampOffset = start;
    this.#jobId = jobId;
    this.#cut = false;
    await settled(buffer, () => buffer.appendBuffer(file as Uint8Array<ArrayBuffer>));
    this.#frameSeconds = (this.#end - start) / frames;
    if (isCut) {
      video.currentTime = start + INSIDE;
      this.#notifyWhenShown(start);
    } else if (video.currentTime > end + this.#frameSeconds) {
      // An invisible video may have run past its end; less than a frame of that is not worth a seek, which shows.
      video.currentTime = end;
    }
    // Browsers may pause the video of a hidden page; it resumes with the next chunk.
    if (video.paused) void video.play().catch(() => {});
    await this.#forget(buffer);
  }

  #notifyWhenShown(start: number): void {
    this.#video.requestVideoFrameCallback((_now, { mediaTime }) => {
      if (this.#cut) return;
      if (mediaTime + INSIDE >= start) this.#onShown();
      else this.#notifyWhenShown(start);
    });
  }

  async #open(codec: string): Promise<SourceBuffer> {
    if (this.#source.readyState !== "open") {
      await new Promise((resolve) => this.#source.addEventListener("sourceopen", resolve, { once: true }));
    }
    if (this.#buffer && this.#codec !== codec) this.#buffer.changeType(typeOf(codec));
    this.#codec = codec;
    return this.#buffer ??= this.#source.addSourceBuffer(typeOf(codec));
  }

  async #forget(buffer: SourceBuffer): Promise<void> {
    const until = this.#video.currentTime - KEPT_BEHIND;
    if (buffer.buffered.length > 0 && buffer.buffered.start(0) < until) {
      await settled(buffer, () => buffer.remove(0, until));
    }
  }
}

function typeOf(codec: string): string {
  return `video/mp4; codecs="${codec}"`;
}

/** Changes the buffer and waits until the change is done. */
function settled(buffer: SourceBuffer, change: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = new AbortController();
    const { signal } = end;
    buffer.addEventListener("updateend", () => (end.abort(), resolve()), { signal });
    buffer.addEventListener("error", () => {
      end.abort();
      reject(new Error("Cannot play the video: the browser could not read a chunk of it"));
    }, { signal });
    change();
  });
}
