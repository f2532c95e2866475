/**
 * Jobs of a session as loops over their chunks, which a queue hands over.
 *
 * @module
 */
import type { ErrorCode } from "../../errors/error_table.ts";
import type { ErrorType } from "../../errors/error_row.ts";
import { type ErrorObject, SvcError } from "../../errors/svc_error.ts";
import type { JobRecord, RolloutReceipt, TransitionReceipt } from "../protocol/job_record.ts";
import type { MadeChunk } from "../session/moves/chunk_publisher.ts";
import type { WorldSession } from "../session/world_session.ts";

/** Runs jobs of a session one at a time and hands their chunks to the loop that reads them. */
export class SessionJobs {
  readonly #session: WorldSession;
  #queue: BlockQueue<MadeChunk> | undefined;

  /** Jobs of this session; its `onChunk` must call {@linkcode deliver}. */
  constructor(session: WorldSession) {
    this.#session = session;
  }

  /** Takes the chunks of the running job from the session. */
  async deliver(chunk: MadeChunk): Promise<void> {
    await this.#queue?.push(chunk);
  }

  /** Lets the running job continue without a reader. */
  close(): void {
    this.#queue?.close();
  }

  /**
   * Starts a job and yields its chunks; a loop that is left, like an abort, cancels it and waits for its rollback.
   *
   * @throws {SvcError} what starting throws, and why the job failed
   * @throws the reason of `signal` when it aborts
   */
  async *run(
    start: () => Promise<JobRecord>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<MadeChunk, TransitionReceipt | RolloutReceipt, void> {
    signal?.throwIfAborted();
    // A job that is refused must not take the queue of the one that runs.
    const queue = new BlockQueue<MadeChunk>();
    const before = this.#queue;
    this.#queue = queue;
    const { jobId: id } = await start().catch((error) => {
      this.#queue = before;
      throw error;
    });
    const ended = this.#ended(id).then(() => queue.close());
    const cancel = (): void => {
      this.#session.cancel(id);
      queue.close();
    };
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted) cancel();
    try {
      for await (const chunk of queue) {
        signal?.throwIfAborted();
        yield chunk;
      }
      await ended;
    } finally {
      signal?.removeEventListener("abort", cancel);
      cancel(); // one that has ended stays as it is
      await ended;
      this.#queue = undefined;
    }
    const { status, receipt, rolloutReceipt, error } = this.#session.job(id).record();
    if (status === "cancelled") signal?.throwIfAborted();
    const made = receipt ?? rolloutReceipt;
    if (made === undefined) throw failure(error);
    return made;
  }

  async #ended(id: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.#session.job(id).active || this.#session.phase === "generating") return;
        unsubscribe();
        resolve();
      };
      const unsubscribe = this.#session.events.subscribe(check);
      check();
    });
  }
}

function failure(error: ErrorObject | undefined): Error {
  if (error === undefined) return new SvcError("server_stopping", "Cannot finish the move: the world was closed");
  return new SvcError(error.code as ErrorCode, error.message, { type: error.type as ErrorType, param: error.param });
}

/**
 * A queue between one producer and one consumer: each push resolves when its item has been taken, so that the producer
 * never runs further ahead than it chooses to.
 */
class BlockQueue<T> {
  readonly #items: { readonly item: T; readonly taken: () => void }[] = [];
  #closed = false;
  #wake = () => {};

  /** Adds an item; resolves when it has been taken or the queue is closed. */
  push(item: T): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((taken) => {
      this.#items.push({ item, taken });
      this.#wake();
    });
  }

  /** No item follows: what waits may still be taken, and every push resolves. */
  close(): void {
    this.#closed = true;
    for (const { taken } of this.#items) taken();
    this.#wake();
  }

  /** The items in order; ends when the queue is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    while (true) {
      const next = this.#items.shift();
      if (next) {
        next.taken();
        yield next.item;
      } else if (this.#closed) return;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}
