/**
 * The life of a model's engine: not there, being started, running, lost with its device.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import type { PrepareOptions } from "./world_model.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** Weights and programs on a device. */
export interface Engine {
  readonly device: Device;
  /** Releases everything, the device too. */
  dispose(): Promise<void>;
}

/** Holds at most one engine, starts it once for any number of callers, and notices when its device goes away. */
export class EngineSlot<E extends Engine> {
  readonly #start: (options: PrepareOptions) => Promise<E>;
  readonly #onGone: () => void;
  #starting: Promise<E> | undefined;
  #engine: E | undefined;
  /** Set from the loss of the device until the next start. */
  #loss: SvcError | undefined;

  /**
   * @param start Starts an engine; called again after it was given up.
   * @param onGone Called when the engine is given up or lost: everything on its device is lost.
   */
  constructor(start: (options: PrepareOptions) => Promise<E>, onGone: () => void) {
    this.#start = start;
    this.#onGone = onGone;
  }

  /** The running engine, where there is one. */
  get running(): E | undefined {
    return this.#engine;
  }

  /** Starts the engine unless it runs. */
  async prepare(options: PrepareOptions): Promise<E> {
    if (this.#engine) return this.#engine;
    this.#starting ??= this.#start(options).finally(() => this.#starting = undefined);
    const engine = await this.#starting;
    if (this.#engine !== engine) {
      this.#engine = engine;
      this.#loss = undefined;
      void engine.device.lost.then((reason) => {
        if (this.#engine === engine) {
          this.#abandon(new SvcError("device_lost", `Cannot go on: the device was lost (${reason})`));
        }
      });
    }
    return engine;
  }

  /** The running engine, or an error that says why there is none. */
  require(): E {
    if (this.#loss) throw this.#loss;
    if (!this.#engine) throw new Error("Cannot use the world model: it is not prepared");
    return this.#engine;
  }

  /** Does work on the engine; whatever fails while the device goes away fails because of that. */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SvcError && error.code === "device_lost") this.#abandon(error);
      throw this.#loss ?? error;
    }
  }

  /** Gives the engine up; the next `prepare` starts another. */
  async unload(): Promise<void> {
    await this.#starting?.catch(() => {});
    await this.#giveUp()?.dispose();
  }

  #abandon(loss: SvcError): void {
    const engine = this.#giveUp();
    this.#loss = loss;
    void engine?.dispose().catch(() => {});
  }

  #giveUp(): E | undefined {
    const engine = this.#engine;
    this.#engine = undefined;
    this.#loss = undefined;
    this.#onGone();
    return engine;
  }
}
