/**
 * Frames of server-sent events on their way to one client.
 *
 * @module
 */
import type { Clock } from "../scheduler/mod.ts";
import { errorFrame, KEEPALIVE_FRAME } from "../protocol/mod.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";

/** Proxies and clients take a connection that is silent for longer for dead, in milliseconds. */
const KEEPALIVE_INTERVAL = 15_000;

/** What a {@linkcode FrameStream} is made with. */
export interface FrameStreamOptions {
  readonly clock: Clock;
  /** Aborts when the client goes. */
  readonly signal: AbortSignal;
  /** Makes the error object for what went wrong after the start of the stream. */
  readonly onError: (error: unknown, gone: boolean) => ErrorObject;
}

/**
 * Frames for a client, who may leave at any time. Nobody has to hear of them before the stream is opened: by whoever
 * fills it, or by the first keepalive.
 */
export class FrameStream {
  /** The frames as bytes. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  /** Resolves when there is a reason to begin. */
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
    this.body = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      cancel: () => {
        this.#stop();
        this.#left.abort(new DOMException("The client has gone", "AbortError"));
      },
    });
    if (options.signal.aborted) this.#leave();
    options.signal.addEventListener("abort", this.#leave);
    this.#keepAlive();
  }

  /** There is a reason to begin. */
  open(): void {
    this.#isOpen = true;
    this.#resolveOpened();
  }

  /** Adds frames; without effect when the client has left. */
  say(frames: string): void {
    if (!this.#ended) this.#controller.enqueue(this.#encoder.encode(frames));
  }

  /** Ends the stream behind its last frame. */
  end(): void {
    if (this.#ended) return;
    this.#stop();
    this.#controller.close();
  }

  /** Ends with an error, which is a frame when the stream has begun and else that of the whole answer. */
  fail(error: unknown): void {
    if (!this.#isOpen) return this.#stop();
    this.say(errorFrame(this.#options.onError(error, this.signal.aborted)));
    this.end();
  }

  #stop(): void {
    this.#ended = true;
    this.#cancelTimer();
    this.#options.signal.removeEventListener("abort", this.#leave);
  }

  #keepAlive(): void {
    this.#cancelTimer = this.#options.clock.after(KEEPALIVE_INTERVAL, () => {
      this.say(KEEPALIVE_FRAME);
      this.open();
      this.#keepAlive();
    });
  }
}
