/**
 * Chats that are answered piece by piece.
 *
 * @module
 */
import type { PreparedChat } from "../api/mod.ts";
import type { ChatReply } from "../api/mod.ts";
import type { Clock } from "../pool/mod.ts";
import { ChatStream, chunkFrame, DONE_FRAME, errorFrame, KEEPALIVE_FRAME, wireUsage } from "../text/mod.ts";
import type { HttpErrorBody } from "./http_error.ts";
import { timingHeaders } from "./timing_headers.ts";

/** Proxies and clients take a connection that is silent for longer for dead, in milliseconds. */
export const KEEPALIVE_INTERVAL = 15_000;

/** What a stream is made with. */
export interface StreamOptions {
  readonly clock: Clock;
  /** Aborts when the client goes. */
  readonly signal: AbortSignal;
  /** Makes the error object for what went wrong after the start of the stream. */
  readonly onError: (error: unknown, gone: boolean) => HttpErrorBody;
}

/**
 * Answers a chat as server-sent events. The status waits for the first thing to tell, so that what fails before, such
 * as a prompt that is too long or a model that does not fit into memory, fails with its own status; after 15 s of
 * waiting, whatever for, the stream starts with a keepalive instead, and errors are frames.
 */
export async function streamChat(chat: PreparedChat, options: StreamOptions): Promise<Response> {
  const stream = new FrameStream(options);
  const { request, head, profile } = chat;
  const chunks = new ChatStream(head, request.includeUsage);
  // A diffusion-style model tells in headers how it went: without drafts there is nothing to tell before that.
  const atOnce = !profile.capabilities.features.has("drafts") || request.showUnmasking;
  const start = once(() => stream.say(chunkFrame(chunks.start())));
  const tell = (frame: string): void => {
    start();
    stream.say(frame);
    if (atOnce) stream.open();
  };
  const reply = chat.run({
    onText: (text) => text !== "" && tell(chunkFrame(chunks.text(text))),
    onDraft: (draft) => tell(chunkFrame(chunks.draft(draft))),
  }, stream.signal);
  const finish = ({ answer, promptTokens, cachedTokens, completionTokens, diffusion }: ChatReply): void => {
    start();
    const usage = wireUsage(promptTokens, cachedTokens, completionTokens);
    stream.say(chunks.end(answer, usage, diffusion).map(chunkFrame).join("") + DONE_FRAME);
    stream.end();
  };
  reply.then(finish, (error) => stream.fail(error));
  const first = await Promise.race([reply, stream.opened]);
  return new Response(stream.body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no", // proxies that buffer answers would hold pieces back
      ...first ? timingHeaders(first) : {},
    },
  });
}

/** Frames on their way to one client, who may leave at any time. */
class FrameStream {
  /** The frames as bytes. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  /** Resolves when there is a reason to begin. */
  readonly opened: Promise<undefined>;
  readonly #options: StreamOptions;
  readonly #encoder = new TextEncoder();
  readonly #left = new AbortController();
  readonly #leave = (): void => this.#left.abort(this.#options.signal.reason);
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  #resolveOpened!: () => void;
  #isOpen = false;
  #ended = false;
  #cancelTimer = (): void => {};

  constructor(options: StreamOptions) {
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

  open(): void {
    this.#isOpen = true;
    this.#resolveOpened();
  }

  say(frames: string): void {
    if (!this.#ended) this.#controller.enqueue(this.#encoder.encode(frames));
  }

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

/** A function that does its work at its first call only. */
function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}
