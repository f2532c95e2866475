/**
 * The common interface of a message channel to or from a worker, on Node, on Deno and in a browser.
 *
 * @module
 */

import type { MessagePort } from "node:worker_threads";

/** An end of a channel: it sends `Send` and receives `Receive`. */
export interface WorkerPort<Send, Receive> {
  /** Posts a structured clone; buffers in `transfer` are moved instead of copied and become empty here. */
  postMessage(message: Send, transfer?: readonly ArrayBuffer[]): void;
  /** Called on every message, including those that arrived before. One listener per port. */
  onMessage(listener: (message: Receive) => void): void;
}

/** A worker started by this thread. */
export interface WorkerHandle<Send, Receive> extends WorkerPort<Send, Receive> {
  /** Resolves once the worker has stopped: with the cause, or with `undefined` after `terminate`. */
  readonly ended: Promise<Error | undefined>;
  /** Stops the worker; on Node, once its current native call has returned. A second call does nothing. */
  terminate(): Promise<void>;
}

/** The worker data of a Node worker. */
export interface NodeWorkerData {
  /** A message on it asks the worker to exit. */
  readonly stop: MessagePort;
}

/** Buffers messages until there is a listener. */
export class MessageQueue<Receive> {
  #waiting: Receive[] = [];
  #listener: ((message: Receive) => void) | undefined;

  /** Passes a message to the listener, or buffers it. */
  deliver(message: Receive): void {
    if (this.#listener) this.#listener(message);
    else this.#waiting.push(message);
  }

  /** Sets the listener and passes it the buffered messages. */
  listen(listener: (message: Receive) => void): void {
    this.#listener = listener;
    for (const message of this.#waiting.splice(0)) listener(message);
  }
}
