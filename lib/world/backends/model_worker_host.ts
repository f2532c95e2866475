/**
 * A worker with one model, for the chains of several sessions.
 *
 * @module
 */
import type { LoadedBytes } from "../../models/checkpoint/load_meter.ts";
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import { reviveError } from "../../errors/carried_error.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { ChainCall, ModelReply, ModelWorker } from "./model_protocol.ts";

/** Options of a call. */
export interface WorkerCallOptions<Progress> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly onFrames?: (frames: RgbFrames) => void;
}

/** Callbacks of a worker's host. */
export interface WorkerListeners {
  /** Called after every call that has succeeded. */
  readonly onCall?: ((record: CallRecord) => void) | undefined;
  /** Called while a large model is loaded. */
  readonly onLoad?: ((loaded: LoadedBytes) => void) | undefined;
}

/** A call that has succeeded. */
export interface CallRecord {
  readonly call: ChainCall["call"];
  /** From the call to its reply: chains take turns. */
  readonly seconds: number;
  /** Of the state that was written or read; else 0. */
  readonly bytes: number;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: never) => void) | undefined;
  readonly onFrames: ((frames: RgbFrames) => void) | undefined;
}

/**
 * Starts the worker for the first chain that is prepared and ends it with the last one that leaves. When the worker
 * dies, the calls that wait for it reject with `model_worker_died`; the next chain that is prepared starts a new one.
 */
export class ModelWorkerHost<Settings> {
  readonly #spawn: () => Promise<ModelWorker<Settings>>;
  readonly #settings: Settings;
  readonly #listeners: WorkerListeners;
  readonly #pending = new Map<number, Pending>();
  readonly #users = new Set<number>();
  #starting: Promise<ModelWorker<Settings>> | undefined;
  #worker: ModelWorker<Settings> | undefined;
  #lastId = 0;
  #chains = 0;

  /**
   * @param spawn Starts the worker, which runs `serveModel`.
   * @param settings What the worker creates its model from.
   * @param listeners Called on its calls, and while its model is loaded.
   */
  constructor(
    spawn: () => Promise<ModelWorker<Settings>>,
    settings: Settings,
    listeners: WorkerListeners = {},
  ) {
    this.#spawn = spawn;
    this.#settings = settings;
    this.#listeners = listeners;
  }

  /** The number of a new chain. */
  newChain(): number {
    return this.#chains++;
  }

  /** The worker for a chain, which is started if necessary. */
  async enter(chain: number): Promise<ModelWorker<Settings>> {
    this.#users.add(chain);
    if (this.#worker) return this.#worker;
    this.#starting ??= this.#spawn().then((worker) => this.#watch(worker)).finally(() => this.#starting = undefined);
    return await this.#starting;
  }

  /** Whether this worker is the one that runs. */
  runs(worker: ModelWorker<Settings>): boolean {
    return worker === this.#worker;
  }

  /** Gives a chain up; the last one stops the worker. */
  async leave(chain: number): Promise<void> {
    this.#users.delete(chain);
    if (this.#users.size === 0) await this.terminate();
  }

  /** Stops the worker at once, whatever it is doing for any chain; pending calls reject. */
  async terminate(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#drop(worker);
    await worker.terminate();
  }

  /** Sends a call to the worker that the chain was prepared in, and waits for the reply. */
  call<Result, Progress>(
    worker: ModelWorker<Settings> | undefined,
    call: ChainCall,
    { signal, onProgress, onFrames }: WorkerCallOptions<Progress>,
  ): Promise<Result> {
    if (!worker || worker !== this.#worker) return Promise.reject(died("it is not running"));
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#lastId;
    const begun = performance.now();
    const read = call.call === "import" ? call.state.length : 0; // sending it may take it away
    const abort = () => worker.postMessage({ id, call: "abort" });
    signal?.addEventListener("abort", abort, { once: true });
    return new Promise<Result>((resolve, reject) => {
      this.#pending.set(id, {
        resolve: (result) => {
          const bytes = call.call === "export" ? (result as Uint8Array).length : read;
          this.#listeners.onCall?.({ call: call.call, seconds: (performance.now() - begun) / 1000, bytes });
          resolve(result as Result);
        },
        reject: (error) => reject(signal?.aborted && !isWorkerDeath(error) ? signal.reason : error),
        onProgress,
        onFrames,
      });
      worker.postMessage({ ...call, id });
    }).finally(() => signal?.removeEventListener("abort", abort));
  }

  #watch(worker: ModelWorker<Settings>): ModelWorker<Settings> {
    this.#worker = worker;
    worker.postMessage({ call: "open", settings: this.#settings });
    worker.onMessage((reply) => this.#receive(reply));
    void worker.ended.then((cause) => {
      if (this.#worker === worker) this.#drop(worker, cause);
    });
    return worker;
  }

  #receive(reply: ModelReply): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if (reply.kind === "progress") {
      if (reply.progress.loaded) this.#listeners.onLoad?.(reply.progress.loaded);
      return pending.onProgress?.(reply.progress as never);
    }
    if (reply.kind === "frames") return pending.onFrames?.(reply.frames);
    this.#pending.delete(reply.id);
    if (reply.kind === "result") pending.resolve(reply.result);
    else pending.reject(reviveError(reply.error));
  }

  #drop(worker: ModelWorker<Settings>, cause?: Error): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const { reject } of this.#pending.values()) reject(died(cause?.message ?? "it was stopped", cause));
    this.#pending.clear();
  }
}

function isWorkerDeath(error: unknown): boolean {
  return error instanceof SvcError && error.code === "model_worker_died";
}

function died(reason: string, cause?: Error): SvcError {
  return new SvcError(
    "model_worker_died",
    "Cannot go on with the model: its worker has stopped, send the move again",
    { cause: cause ?? new Error(reason) },
  );
}
