/**
 * Frames of server-sent events for one client.
 *
 * @module
 */
import type { Clock } from "../../scheduling/mod.ts";
import { errorFrame, KEEPALIVE_FRAME } from "../../protocol/mod.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";

/** Keepalive interval in milliseconds: proxies and clients drop connections that are silent for longer. */
const KEEPALIVE_INTERVAL = 15_000;

/** Bytes that may wait for a client before it counts as slow. */
const MAX_WAITING_BYTES = 8 * 2 ** 20;

/** Options of a {@linkcode FrameStream}. */
export interface FrameStreamOptions {
  readonly clock: Clock;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Makes the error object of a failure after the start of the stream. */
  readonly onError: (error: unknown, gone: boolean) => ErrorObject;
  /** The last frame of a stream that fails; that of chats by default. */
  readonly errorFrame?: (error: ErrorObject) => string;
  /** What keeps an idle stream alive; a comment by default. */
  readonly keepalive?: string;
}

/**
 * Frames for a client that may disconnect at any time. Nothing is sent until the stream is opened: by its producer, or
 * by the first keepalive.
 */
export class FrameStream {
  /** The frames as bytes. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Resolves when the stream is to be opened. */
  readonly opened: Promise<undefined>;
  readonly #options: FrameStreamOptions;
  readonly #encoder = new TextEncoder();
  readonly #left = new AbortController();
  readonly #leave = (): void => this.#left.abort(this.#options.signal.reason);
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  #resolveOpened!: () => void;
  #isOpen = false;
  #ended = false;
  #cancelTimer = (): void => {};

  constructor(options: FrameStreamOptions) {
    this.#options = options;
    this.signal = this.#left.signal;
    this.opened = new Promise((resolve) => this.#resolveOpened = () => resolve(undefined));
    this.body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => void (this.#controller = controller),
      cancel: () => {
        this.#stop();
        this.#left.abort(new DOMException("The client has disconnected", "AbortError"));
      },
    }, new ByteLengthQueuingStrategy({ highWaterMark: 1 }) as QueuingStrategy<Uint8Array<ArrayBuffer>>);
    if (options.signal.aborted) this.#leave();
    options.signal.addEventListener("abort", this.#leave);
    this.#keepAlive();
  }

  /** Whether the stream is open, so that its headers are gone. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens the stream. */
  open(): void {
    this.#isOpen = true;
    this.#resolveOpened();
  }

  /** Adds frames; does nothing when the client has disconnected. */
  say(frames: string): void {
    if (!this.#ended) this.#controller.enqueue(this.#encoder.encode(frames));
  }

  /** Whether so much waits for the client that frames it can do without should be left out. */
  get isBehind(): boolean {
    return (this.#controller.desiredSize ?? 0) < -MAX_WAITING_BYTES;
  }

  /** Ends the stream after its last frame. */
  end(): void {
    if (this.#ended) return;
    this.#stop();
    this.#controller.close();
  }

  /** Ends with an error: a frame if the stream is open, else the whole answer. */
  fail(error: unknown): void {
    if (!this.#isOpen) return this.#stop();
    const { onError, errorFrame: frame = errorFrame } = this.#options;
    this.say(frame(onError(error, this.signal.aborted)));
    this.end();
  }

  #stop(): void {
    this.#ended = true;
    this.#cancelTimer();
    this.#options.signal.removeEventListener("abort", this.#leave);
  }

  #keepAlive(): void {
    this.#cancelTimer = this.#options.clock.after(KEEPALIVE_INTERVAL, () => {
      this.say(this.#options.keepalive ?? KEEPALIVE_FRAME);
      this.open();
      this.#keepAlive();
    });
  }
}
