/**
 * A worker with one model, for the chains of several sessions.
 *
 * @module
 */
import { joinFrames, type RgbFrames } from "../../media/images/rgb_image.ts";
import type { LoadedBytes } from "../../models/checkpoint/load_meter.ts";
import type { EarlyFrames, PortableChain } from "../../models/world/world_model.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { RpcClient } from "../../platform/rpc/rpc_client.ts";
import type { WorkerHandle } from "../../platform/rpc/rpc_port.ts";
import {
  CHAIN_METHODS,
  type ChainMethod,
  type ChainService,
  type ModelEvent,
  type ModelProgress,
  type ModelService,
} from "./model_service.ts";

/** Milliseconds that a chain that is unloaded waits for the step that its worker is in. */
const STOP_TIMEOUT = 2000;

/** Callbacks of a worker. */
export interface WorkerListeners {
  /** Called after every call that has succeeded. */
  readonly onCall?: ((record: CallRecord) => void) | undefined;
  /** Called while a large model is loaded. */
  readonly onLoad?: ((loaded: LoadedBytes) => void) | undefined;
}

/** A call that has succeeded. */
export interface CallRecord {
  readonly call: keyof ChainService;
  /** From the call to its answer: chains take turns. */
  readonly seconds: number;
  /** Of the state that was written or read; else 0. */
  readonly bytes: number;
}

/** Options of a generation. */
interface GenerateOptions<Progress> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly early?: EarlyFrames;
  readonly onFrames?: (frames: RgbFrames) => void;
}

/** One chain in a worker, which other chains may share. */
export interface WorkerChain<Request, Options> extends PortableChain {
  /** See `WorldModel.generate` and `ClipModel.generate`. */
  generate(request: Request, options?: Options): Promise<RgbFrames>;
  /** Stops the worker at once, whatever it is doing for any chain; open calls reject. */
  terminate(): Promise<void>;
}

interface Running<Settings> {
  readonly worker: WorkerHandle;
  readonly client: RpcClient<ModelService<Settings>>;
}

/**
 * Starts the worker for the first chain that is prepared and ends it with the last one that is unloaded. When the worker
 * dies, the calls that wait for it reject with `model_worker_died`; the next chain that is prepared starts a new one.
 */
export class ModelWorker<Settings, Request, Options> {
  readonly #spawn: () => Promise<WorkerHandle>;
  readonly #settings: Settings;
  readonly #listeners: WorkerListeners;
  readonly #users = new Set<number>();
  #starting: Promise<Running<Settings>> | undefined;
  #running: Running<Settings> | undefined;
  /** Resolves when the workers before have ended. */
  #ending: Promise<unknown> = Promise.resolve();
  #chains = 0;

  /**
   * @param spawn Starts the worker, which runs `serveModel`.
   * @param settings What the worker creates its model from.
   * @param listeners Called on its calls, and while its model is loaded.
   */
  constructor(spawn: () => Promise<WorkerHandle>, settings: Settings, listeners: WorkerListeners = {}) {
    this.#spawn = spawn;
    this.#settings = settings;
    this.#listeners = listeners;
  }

  /**
   * A chain whose calls are passed on. `prepare` starts the worker and the last `unload` ends it, so that all its memory
   * is given back. When the worker dies, calls reject with `model_worker_died` until this chain is prepared again, even
   * if another one has started a new worker.
   */
  openChain(): WorkerChain<Request, Options> {
    const chain = this.#chains++;
    let running: Running<Settings> | undefined;
    const call: ChainCall = (method, args, options = {}) => this.#call(running, method, [chain, ...args], options);
    const passOn = (method: ChainMethod) => (...args: unknown[]): Promise<unknown> => call(method, args);
    const isGone = (): boolean => running !== undefined && this.#running !== running;
    return {
      ...Object.fromEntries(CHAIN_METHODS.map((method) => [method, passOn(method)])) as unknown as Pick<
        PortableChain,
        ChainMethod
      >,
      get isGone() {
        return isGone();
      },
      prepare: async ({ geometry, ...options } = {}) => {
        running = await this.#enter(chain);
        return await call("prepare", geometry ? [geometry] : [], options as GenerateOptions<ModelProgress>);
      },
      generate: async (request, options) => {
        const parts: RgbFrames[] = [];
        const { onFrames, early, ...others } = (options ?? {}) as GenerateOptions<ModelProgress>;
        const whole = await call("generate", early ? [request, early] : [request], {
          ...others,
          onFrames: (frames) => {
            parts.push(frames);
            onFrames?.(frames);
          },
        });
        return whole ?? (parts.length > 1 ? joinFrames(parts) : parts[0]);
      },
      unload: async () => {
        if (!running) return;
        const unloaded = call("unload", []).catch(() => {});
        running = undefined;
        this.#users.delete(chain);
        // Stopping it frees everything, even what a failing model cannot release.
        const ended = this.#users.size > 0 ? unloaded : unloaded.then(async () => {
          if (this.#users.size === 0) await this.terminate();
        });
        await atMost(STOP_TIMEOUT, ended);
      },
      terminate: async () => {
        running = undefined;
        await this.terminate();
      },
    };
  }

  /** Stops the worker at once, whatever it is doing for any chain; open calls reject. Resolves when it has ended. */
  async terminate(): Promise<void> {
    if (this.#running) {
      const { worker, client } = this.#running;
      this.#running = undefined;
      client.close(died());
      this.#ending = Promise.allSettled([this.#ending, worker.terminate()]);
    }
    await this.#ending;
  }

  /** The worker for a chain, which is started if necessary. */
  async #enter(chain: number): Promise<Running<Settings>> {
    this.#users.add(chain);
    if (this.#running) return this.#running;
    this.#starting ??= this.#start().finally(() => this.#starting = undefined);
    return await this.#starting;
  }

  async #start(): Promise<Running<Settings>> {
    await this.#ending; // before another one takes as much memory
    const worker = await this.#spawn();
    const ended = worker.ended.then((cause) => {
      if (this.#running === running) this.#running = undefined;
      return died(cause);
    });
    const running = { worker, client: new RpcClient<ModelService<Settings>>(worker, { ended }) };
    this.#running = running;
    running.client.call("open", [this.#settings]).catch((cause) => {
      if (this.#running === running) this.#running = undefined;
      running.client.close(died(cause));
      return worker.terminate();
    });
    return running;
  }

  /** Sends a call to the worker that the chain was prepared in, and waits for the answer. */
  async #call<M extends keyof ChainService>(
    running: Running<Settings> | undefined,
    method: M,
    args: readonly unknown[],
    { signal, onProgress, onFrames }: GenerateOptions<never>,
  ): Promise<ChainService[M]["answer"]> {
    if (!running || running !== this.#running) throw died();
    const { client } = running;
    const begun = performance.now();
    const onEvent = (event: ModelEvent): void => {
      if (event.kind === "frames") return onFrames?.(event.frames);
      if (event.progress.loaded) this.#listeners.onLoad?.(event.progress.loaded);
      onProgress?.(event.progress as never);
    };
    try {
      const answer = await client.call(method, args as never, { signal, onEvent });
      const state = method === "importState" ? args[1] : method === "exportState" ? answer : undefined;
      const bytes = state instanceof Uint8Array ? state.length : 0;
      this.#listeners.onCall?.({ call: method, seconds: (performance.now() - begun) / 1000, bytes });
      return answer;
    } catch (error) {
      throw client.closed ?? error; // its death says more than the reason of an abort
    }
  }
}

type ChainCall = <M extends keyof ChainService>(
  method: M,
  args: readonly unknown[],
  options?: GenerateOptions<ModelProgress>,
) => Promise<ChainService[M]["answer"]>;

/** Waits for work; what takes longer keeps running in the background. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => timer = setTimeout(resolve, milliseconds));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function died(cause: Error = new Error("it is not running")): SvcError {
  const message = "Cannot continue with the model: its worker has stopped, send the move again";
  return new SvcError("model_worker_died", message, { cause });
}
