/**
 * One engine, with its device and weights, for any number of chains.
 *
 * @module
 */
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { type Engine, EngineSlot } from "./engine_slot.ts";
import { Turns } from "./turns.ts";
import type { PrepareOptions } from "./world_model.ts";

/** A chain on a {@linkcode SharedEngine}. */
export interface EngineChain {
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
    this.#lost.delete(chain); // it knows now that it has to begin again
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
   * Generates a block or a clip of a chain when it is its turn.
   *
   * @throws {SvcError} `device_lost` also when the engine was lost and started again since the chain began.
   */
  generate(chain: C, signal: AbortSignal | undefined, work: (engine: E) => Promise<RgbFrames>): Promise<RgbFrames> {
    return this.#turns.run(signal, async () => {
      const engine = this.#slot.require();
      this.checkState(chain);
      return await this.#slot.guard(() => work(engine));
    });
  }

  /** @throws {SvcError} `device_lost` when the state of a chain was lost with an engine. */
  checkState(chain: C): void {
    if (this.#lost.has(chain)) throw new SvcError("device_lost", "Cannot go on: the device was lost and opened again");
  }

  /** Releases a chain; the last one ends the engine. */
  async unload(chain: C): Promise<void> {
    this.#chains.delete(chain);
    this.#lost.delete(chain);
    chain.forget();
    if (this.#chains.size === 0) await this.#slot.unload();
  }
}
