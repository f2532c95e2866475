/**
 * What all models in workers share.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { ModelCall, ModelWorker } from "./model_protocol.ts";
import type { ModelWorkerHost, WorkerCallOptions } from "./model_worker_host.ts";
import type {
  Geometry,
  PortableChain,
  PrepareOptions,
  PrepareProgress,
  WorldModelInfo,
} from "../../models/world/world_model.ts";

/**
 * One chain in a worker, which other chains may share. Every call is passed on; `prepare` starts the worker and the last
 * `unload` ends it, so that all its memory is given back. When the worker dies, calls reject with `model_worker_died`
 * until this chain is prepared again, even if another one has started a new worker.
 */
export abstract class WorkerChain<Settings> implements PortableChain {
  readonly #host: ModelWorkerHost<Settings>;
  readonly #chain: number;
  #worker: ModelWorker<Settings> | undefined;

  /** @param host The worker, shared by all chains that are given it. */
  constructor(host: ModelWorkerHost<Settings>) {
    this.#host = host;
    this.#chain = host.newChain();
  }

  /** See {@linkcode ChainModel.isGone}. */
  get isGone(): boolean {
    return this.#worker !== undefined && !this.#host.runs(this.#worker);
  }

  /** See {@linkcode ChainModel.prepare}; starts the worker if necessary. */
  async prepare(options: PrepareOptions = {}): Promise<WorldModelInfo> {
    this.#worker = await this.#host.enter(this.#chain);
    const { geometry, ...call } = options;
    return await this.call<WorldModelInfo, PrepareProgress>({ call: "prepare", ...(geometry && { geometry }) }, call);
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

  /** See {@linkcode PortableChain.exportState}. */
  exportState(snapshot?: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.call({ call: "export", ...(snapshot !== undefined && { snapshot }) });
  }

  /** See {@linkcode PortableChain.importState}. */
  importState(state: Uint8Array): Promise<void> {
    return this.call({ call: "import", state });
  }

  /** See {@linkcode PortableChain.drop}. */
  drop(): Promise<void> {
    return this.call({ call: "drop" });
  }

  /** Releases the chain, and stops the worker when no other chain is in it. */
  async unload(): Promise<void> {
    if (!this.#worker) return;
    // Stopping it frees everything, even what a failing model cannot release.
    await this.call({ call: "unload" }).catch(() => {});
    this.#worker = undefined;
    await this.#host.leave(this.#chain);
  }

  /** Stops the worker at once, whatever it is doing for any chain; pending calls reject. */
  async terminate(): Promise<void> {
    this.#worker = undefined;
    await this.#host.terminate();
  }

  /** Sends a call and waits for its reply. */
  protected call<Result, Progress = never>(
    call: ModelCall,
    options: WorkerCallOptions<Progress> = {},
  ): Promise<Result> {
    return this.#host.call<Result, Progress>(this.#worker, { ...call, chain: this.#chain }, options);
  }
}
