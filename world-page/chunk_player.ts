/** A chunk of a job's video, to be played. */
export interface PlayableChunk {
  readonly jobId: string;
  /** RFC 6381 string. */
  readonly codec: string;
  readonly frames: number;
  /** Of a fragmented MP4 whose timestamps are absolute within the job. */
  readonly bytes: Promise<Uint8Array>;
}

/** How many seconds behind the playhead stay in memory. */
const KEPT_BEHIND = 10;

/** How far a browser's decoder may have read ahead of what it shows, in seconds. */
const READ_AHEAD = 0.5;

/** Just inside a frame, in seconds: ends of ranges are rounded. */
const INSIDE = 0.001;

/**
 * Plays the chunks of one job after the other as one gapless video, through one MediaSource buffer.
 *
 * A job that continues the last one opens with the frame that the last one ended with. It is laid over that frame, so
 * that it is not shown twice. A decoder that has read past the frame already has to be told, by a seek to where it is:
 * it would wait for the next key frame otherwise.
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

  /** What comes next does not continue what was played: it is shown at once and from its first frame. */
  cut(): void {
    this.#cut = true;
    this.#jobId = undefined;
  }

  /**
   * Plays a chunk after all that were appended before.
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
    const start = opens && !isCut ? end - this.#frameSeconds : end;
    if (opens) buffer.timestampOffset = start;
    const mayBeRead = this.ahead < READ_AHEAD;
    this.#jobId = jobId;
    this.#cut = false;
    await settled(buffer, () => buffer.appendBuffer(file as Uint8Array<ArrayBuffer>));
    this.#frameSeconds = (this.#end - start) / frames;
    if (isCut) {
      video.currentTime = start + INSIDE;
      this.#tellWhenShown(start);
    } else if ((opens && mayBeRead) || video.currentTime > end) {
      // A seek to where it is lets the decoder begin anew with the key frame before. The time of a video that cannot be
      // seen, in a part of the page that is scrolled away, may have run on past the end.
      video.currentTime = Math.min(video.currentTime, end);
    }
    // A page that is not looked at may be kept from playing; it goes on with the next chunk.
    if (video.paused) void video.play().catch(() => {});
    await this.#forget(buffer);
  }

  #tellWhenShown(start: number): void {
    this.#video.requestVideoFrameCallback((_now, { mediaTime }) => {
      if (this.#cut) return;
      if (mediaTime + INSIDE >= start) this.#onShown();
      else this.#tellWhenShown(start);
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

/** Does something to the buffer and waits until it is done. */
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
