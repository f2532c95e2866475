/**
 * One engine, with its device and weights, for any number of chains: its life (not there, being started, running, lost
 * with its device), and whose turn it is.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import { type Turn, Turns } from "./turns.ts";
import type { PrepareOptions } from "./world_model.ts";

const LOST = "Cannot continue: the device was lost and opened again";

/** A chain on a {@linkcode SharedEngine}. */
interface EngineChain {
  /** Everything on the device is gone. */
  forget(): void;
}

/** Starts the engine for the first chain that is prepared, and ends it with the last one that is unloaded. */
export class SharedEngine<E extends Engine, C extends EngineChain> {
  readonly #slot: EngineSlot<E>;
  readonly #turns = new Turns();
  readonly #chains = new Set<C>();
  /** Chains whose state was lost with an engine, until they are prepared again. */
  readonly #lost = new WeakSet<C>();

  /** @param start Starts an engine; called again after it was given up or lost. */
  constructor(start: (options: PrepareOptions) => Promise<E>) {
    this.#slot = new EngineSlot(start, () => {
      for (const chain of this.#chains) {
        this.#lost.add(chain);
        chain.forget();
      }
    });
  }

  /** The running engine, where there is one. */
  get running(): E | undefined {
    return this.#slot.running;
  }

  /** The chains that are prepared. */
  get chains(): Iterable<C> {
    return this.#chains;
  }

  /** Starts the engine unless it runs, for a chain too. */
  async prepare(chain: C, options: PrepareOptions): Promise<E> {
    this.#chains.add(chain); // now, so that another one that is unloaded meanwhile does not end the engine
    const engine = await this.#slot.prepare(options);
    this.#lost.delete(chain); // from now on it begins again
    return engine;
  }

  /** Begins a chain when it is its turn. */
  begin(chain: C, work: (engine: E) => Promise<void>): Promise<void> {
    return this.#turns.run(undefined, async () => {
      const engine = this.#slot.require();
      this.checkState(chain);
      await this.#slot.guard(() => work(engine));
    });
  }

  /**
   * Generates a block or a clip of a chain when it is its turn. Work that is long gives its turn to others meanwhile;
   * nothing that they may replace is kept on the device.
   *
   * @param kind See {@linkcode Turns.run}.
   * @throws {SvcError} `device_lost` also when the engine was lost and started again since the chain began.
   */
  generate(
    chain: C,
    signal: AbortSignal | undefined,
    work: (engine: E, turn: Turn) => Promise<RgbFrames>,
    kind?: string,
  ): Promise<RgbFrames> {
    return this.#turns.run(signal, async (turn) => {
      const engine = this.#slot.require();
      this.checkState(chain);
      const afterwards = async (had: Promise<void>): Promise<void> => {
        await had;
        this.#slot.require();
        this.checkState(chain);
        if (this.#slot.running !== engine) throw new SvcError("device_lost", LOST);
      };
      const { company } = turn;
      const mine: Turn = {
        get isWanted() {
          return turn.isWanted;
        },
        pass: (isServed) => afterwards(turn.pass(isServed)),
        ...(company && {
          company: {
            get isCalling() {
              return company.isCalling;
            },
            invite: (isServed) => afterwards(company.invite(isServed)),
          },
        }),
      };
      return await this.#slot.guard(() => work(engine, mine));
    }, kind);
  }

  /** @throws {SvcError} `device_lost` when the state of a chain was lost with an engine. */
  checkState(chain: C): void {
    if (this.#lost.has(chain)) throw new SvcError("device_lost", LOST);
  }

  /** Releases a chain; the last one ends the engine. */
  async unload(chain: C): Promise<void> {
    this.#chains.delete(chain);
    this.#lost.delete(chain);
    chain.forget();
    if (this.#chains.size === 0) await this.#slot.unload();
  }
}

/** Weights and programs on a device. */
export interface Engine {
  readonly device: Device;
  /** Releases everything, the device too. */
  dispose(): Promise<void>;
}

/** An engine that is being started, and how many wait for it. */
interface Start<E> {
  readonly engine: Promise<E>;
  readonly giveUp: AbortController;
  waiting: number;
}

/** Holds at most one engine, starts it once for any number of callers, and notices when its device goes away. */
class EngineSlot<E extends Engine> {
  readonly #start: (options: PrepareOptions) => Promise<E>;
  readonly #onGone: () => void;
  #starting: Start<E> | undefined;
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
    const engine = await this.#started(options);
    if (this.#engine !== engine) {
      this.#engine = engine;
      this.#loss = undefined;
      void engine.device.lost.then((reason) => {
        if (this.#engine === engine) {
          this.#abandon(new SvcError("device_lost", `Cannot continue: the device was lost (${reason})`));
        }
      });
    }
    return engine;
  }

  /** The start that all wait for; it is given up when all have left. */
  async #started(options: PrepareOptions): Promise<E> {
    const { signal } = options;
    signal?.throwIfAborted();
    if (!this.#starting || this.#starting.giveUp.signal.aborted) {
      await this.#starting?.engine.catch(() => {}); // before another one takes as much memory
      if (this.#engine) return this.#engine;
    }
    const starting = this.#starting ??= this.#begin(options);
    starting.waiting++;
    let leave = (): void => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        if (--starting.waiting === 0) starting.giveUp.abort(signal?.reason);
        else reject(signal?.reason); // the others keep waiting
      };
    });
    signal?.addEventListener("abort", leave, { once: true });
    return await Promise.race([starting.engine, left]).finally(() => signal?.removeEventListener("abort", leave));
  }

  #begin(options: PrepareOptions): Start<E> {
    const giveUp = new AbortController();
    const engine = this.#start({ ...options, signal: giveUp.signal }).finally(() => this.#starting = undefined);
    return { engine, giveUp, waiting: 0 };
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
    await this.#starting?.engine.catch(() => {});
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
