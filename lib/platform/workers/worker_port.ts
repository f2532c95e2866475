/**
 * The one shape of a message channel to or from a worker, on Node, on Deno and in a browser.
 *
 * @module
 */

import type { MessagePort } from "node:worker_threads";

/** An end of a channel: what it sends is `Send`, what it hears is `Receive`. */
export interface WorkerPort<Send, Receive> {
  /** Posts a structured clone; buffers in `transfer` are moved instead of copied and become empty here. */
  postMessage(message: Send, transfer?: readonly ArrayBuffer[]): void;
  /** Hears every message from now on, those that arrived before included. One listener a port. */
  onMessage(listener: (message: Receive) => void): void;
}

/** A worker that this thread has started. */
export interface WorkerHandle<Send, Receive> extends WorkerPort<Send, Receive> {
  /** Resolves once, when the worker has stopped: with what stopped it, or with `undefined` after `terminate`. */
  readonly ended: Promise<Error | undefined>;
  /** Stops the worker; on Node, once the native call that it may be in has returned. A second call does nothing. */
  terminate(): Promise<void>;
}

/** What a worker on Node is started with. */
export interface NodeWorkerData {
  /** A message on it asks the worker to end. */
  readonly stop: MessagePort;
}

/** Keeps messages until somebody listens. */
export class MessageQueue<Receive> {
  #waiting: Receive[] = [];
  #listener: ((message: Receive) => void) | undefined;

  /** Hands a message to the listener, or keeps it. */
  deliver(message: Receive): void {
    if (this.#listener) this.#listener(message);
    else this.#waiting.push(message);
  }

  /** Sets the listener and hands it what was kept. */
  listen(listener: (message: Receive) => void): void {
    this.#listener = listener;
    for (const message of this.#waiting.splice(0)) listener(message);
  }
}
