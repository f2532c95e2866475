/**
 * What all models in workers share.
 *
 * @module
 */
import type { RgbFrames, RgbImage } from "../../media/images/rgb_image.ts";
import type { ModelCall, ModelReply, ModelWorker } from "./model_protocol.ts";
import type {
  ChainModel,
  Geometry,
  PrepareOptions,
  PrepareProgress,
  WorldModelInfo,
} from "../../models/world/world_model.ts";
import { reviveError } from "../../errors/carried_error.ts";
import { SvcError } from "../../errors/svc_error.ts";

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: never) => void) | undefined;
  readonly onFrames: ((frames: RgbFrames) => void) | undefined;
}

interface CallOptions<Progress> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly onFrames?: (frames: RgbFrames) => void;
}

/**
 * Passes every call on to a worker, which `prepare` starts and `unload` ends, so that all its memory is given back. When
 * the worker dies, the calls that wait for it reject with `model_worker_died`; the next
 * `prepare` starts a new one.
 */
export abstract class WorkerChain<Settings> implements ChainModel {
  readonly #spawn: () => Promise<ModelWorker<Settings>>;
  readonly #settings: Settings;
  readonly #pending = new Map<number, Pending>();
  #worker: ModelWorker<Settings> | undefined;
  #lastId = 0;

  /**
   * @param spawn Starts the worker, which runs `serveModel`.
   * @param settings What the worker creates its model from.
   */
  constructor(spawn: () => Promise<ModelWorker<Settings>>, settings: Settings) {
    this.#spawn = spawn;
    this.#settings = settings;
  }

  /** See {@linkcode ChainModel.prepare}; starts the worker if necessary. */
  async prepare(options: PrepareOptions = {}): Promise<WorldModelInfo> {
    this.#worker ??= this.#watch(await this.#spawn());
    return await this.call<WorldModelInfo, PrepareProgress>({ call: "prepare" }, options);
  }

  /** See {@linkcode ChainModel.begin}. */
  begin(image: RgbImage, geometry: Geometry): Promise<void> {
    return this.call({ call: "begin", image, geometry });
  }

  /** See {@linkcode ChainModel.snapshot}. */
  snapshot(): Promise<number> {
    return this.call({ call: "snapshot" });
  }

  /** See {@linkcode ChainModel.restore}. */
  restore(snapshot: number): Promise<void> {
    return this.call({ call: "restore", snapshot });
  }

  /** See {@linkcode ChainModel.release}. */
  release(snapshot: number): Promise<void> {
    return this.call({ call: "release", snapshot });
  }

  /** Lets the model release its device, then stops the worker. */
  async unload(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    // Stopping it frees everything, even what a failing model cannot release.
    await this.call({ call: "unload" }).catch(() => {});
    this.#leave(worker);
    await worker.terminate();
  }

  /** Stops the worker at once, whatever it is doing; pending calls reject. */
  async terminate(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#leave(worker);
    await worker.terminate();
  }

  /** Sends a call and waits for its reply. */
  protected call<Result, Progress = never>(call: ModelCall, options: CallOptions<Progress> = {}): Promise<Result> {
    const worker = this.#worker;
    if (!worker) return Promise.reject(died("it is not running"));
    const { signal, onProgress, onFrames } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#lastId;
    const abort = () => worker.postMessage({ id, call: "abort" });
    signal?.addEventListener("abort", abort, { once: true });
    return new Promise<Result>((resolve, reject) => {
      this.#pending.set(id, {
        resolve: (result) => resolve(result as Result),
        reject: (error) => reject(signal?.aborted && !isWorkerDeath(error) ? signal.reason : error),
        onProgress,
        onFrames,
      });
      worker.postMessage({ ...call, id });
    }).finally(() => signal?.removeEventListener("abort", abort));
  }

  #watch(worker: ModelWorker<Settings>): ModelWorker<Settings> {
    worker.postMessage({ call: "open", settings: this.#settings });
    worker.onMessage((reply) => this.#receive(reply));
    void worker.ended.then((cause) => {
      if (this.#worker === worker) this.#leave(worker, cause);
    });
    return worker;
  }

  #receive(reply: ModelReply): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if (reply.kind === "progress") return pending.onProgress?.(reply.progress as never);
    if (reply.kind === "frames") return pending.onFrames?.(reply.frames);
    this.#pending.delete(reply.id);
    if (reply.kind === "result") pending.resolve(reply.result);
    else pending.reject(reviveError(reply.error));
  }

  #leave(worker: ModelWorker<Settings>, cause?: Error): void {
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
    "Cannot go on with the model: its worker has stopped, the world restarts from its current image",
    { cause: cause ?? new Error(reason) },
  );
}
