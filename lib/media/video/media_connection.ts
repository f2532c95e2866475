/**
 * The media worker as seen by its caller's thread.
 *
 * @module
 */
import { spawnWorker } from "../../platform/workers/spawn_worker.ts";
import type { WorkerHandle } from "../../platform/workers/worker_port.ts";
import { type MediaQuestion, type MediaReply, type MediaRequest, receiveError } from "./media_protocol.ts";

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

interface Session {
  readonly worker: WorkerHandle<MediaRequest, MediaReply>;
  /** Pending calls by id. */
  readonly waiting: Map<number, Waiting>;
  /** Why the worker has stopped. */
  stopped?: Error;
}

/** Calls a worker, which is started by the first call, and again by the first call after it has died. */
export class MediaConnection {
  readonly #url: URL;
  #session: Promise<Session> | undefined;
  #lastId = 0;

  constructor(url: URL) {
    this.#url = url;
  }

  /** Resolves with the worker's reply; rejects with its error, or with what stopped it. */
  async ask<T>(encoder: string | undefined, question: MediaQuestion): Promise<T> {
    const session = await (this.#session ??= this.#start());
    return await new Promise<T>((resolve, reject) => {
      if (session.stopped) return reject(session.stopped);
      const id = ++this.#lastId;
      session.worker.postMessage({ id, encoder, question });
      session.waiting.set(id, { resolve, reject });
    });
  }

  /** Stops the worker; pending calls reject at once, even those whose replies are on their way. */
  async stop(): Promise<void> {
    const session = await this.#session;
    if (!session) return;
    end(session, new Error("Cannot finish the media work: its worker was closed meanwhile"));
    await session.worker.terminate();
  }

  async #start(): Promise<Session> {
    const worker: Session["worker"] = await spawnWorker(this.#url, { name: "media" });
    const session: Session = { worker, waiting: new Map() };
    worker.onMessage((reply) => {
      const waiting = session.waiting.get(reply.id);
      session.waiting.delete(reply.id);
      if (reply.ok) waiting?.resolve(reply.value as never);
      else waiting?.reject(receiveError(reply.error));
    });
    void worker.ended.then((cause) => {
      this.#session = undefined;
      end(session, cause ?? new Error("Cannot finish the media work: its worker has ended"));
    });
    return session;
  }
}

/** Rejects what the session still waits for, and what is asked of it later. */
function end(session: Session, cause: Error): void {
  session.stopped ??= cause;
  for (const { reject } of session.waiting.values()) reject(session.stopped);
  session.waiting.clear();
}
