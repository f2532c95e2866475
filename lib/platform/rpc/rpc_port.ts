/**
 * What two threads or processes talk through, on Node, on Deno and in a browser.
 *
 * @module
 */

/** An end of a channel of messages: of a worker, of a child process, of a `MessageChannel`. */
export interface RpcPort {
  /**
   * Sends a structured clone. A process resolves when the message is on its way, without error also when the other side
   * has ended.
   *
   * @param transfer Buffers that a thread moves instead of copying, so that they become empty here; processes copy all.
   * @throws {Error} when the message cannot be cloned.
   */
  send(message: unknown, transfer?: readonly ArrayBuffer[]): void | Promise<void>;
  /** Called on every message, including those that arrived before. One listener per port. */
  onMessage(listener: (message: unknown) => void): void;
}

/** A worker that this thread has started. */
export interface WorkerHandle extends RpcPort {
  /** Resolves once the worker has stopped: with the cause, or with `undefined` after `terminate`. */
  readonly ended: Promise<Error | undefined>;
  /** Stops the worker; on Node, once its current native call has returned. A second call does nothing. */
  terminate(): Promise<void>;
}

/** Keeps messages until there is a listener. */
export class MessageQueue {
  #waiting: unknown[] = [];
  #listener: ((message: unknown) => void) | undefined;

  /** Passes a message to the listener, or keeps it. */
  deliver(message: unknown): void {
    if (this.#listener) this.#listener(message);
    else this.#waiting.push(message);
  }

  /** Sets the listener and passes it what was kept. */
  listen(listener: (message: unknown) => void): void {
    this.#listener = listener;
    for (const message of this.#waiting.splice(0)) listener(message);
  }
}
