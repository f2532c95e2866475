import type { Engine } from "../../lib/scheduling/engine.ts";
import { settle } from "./fake_clock.ts";
import { GIB, type GuardSettings, type MemorySample } from "../../lib/scheduling/memory/memory_limits.ts";

/** An engine that is nothing but the memory that it takes. */
export interface FakeEngine extends Engine {
  readonly id: string;
  /** Ends it from within. */
  crash(why: string): void;
}

/** A machine of 1000 GiB whose guard allows 100: pressure is elevated from 90 GiB on, critical from 95 GiB on. */
export class FakeMachine {
  readonly guard: GuardSettings = { tier: "custom", customCeilingBytes: 100 * GIB };
  /** What has happened, such as `start a`, `loaded a`, `trim a`, `stop a`. */
  readonly log: string[] = [];
  readonly engines = new Map<string, FakeEngine>();
  /** GiB in use besides the engines; each trim of an engine frees 1 of `trimmable`. */
  otherGib = 0;
  trimmableGib = 0;
  /** Where the next engines are loaded. */
  device = "cpu";
  /** Ids of models whose start fails. */
  readonly broken = new Set<string>();
  readonly #sizes = new Map<string, number>();
  #startingGib = 0;
  readonly #held = new Map<string, () => void>();
  #holding = new Set<string>();

  /** GiB in use now. */
  get usedGib(): number {
    return this.otherGib + this.trimmableGib + this.#loadedGib();
  }

  /** GiB that engines take or are about to take. */
  get claimedGib(): number {
    return this.#startingGib + this.#loadedGib();
  }

  readonly probe = (): Promise<MemorySample> =>
    Promise.resolve({ physicalBytes: 1000 * GIB, currentBytes: this.usedGib * GIB });

  /** Makes the next loads of a model last until {@linkcode finish}. */
  hold(id: string): void {
    this.#holding.add(id);
  }

  /** Ends the load of a model that was held. */
  finish(id: string): void {
    this.#holding.delete(id);
    this.#held.get(id)?.();
  }

  readonly start = async (model: { id: string; bytes: number }, signal: AbortSignal): Promise<FakeEngine> => {
    const { id } = model;
    signal.throwIfAborted();
    this.log.push(`start ${id}`);
    this.#startingGib += model.bytes / GIB;
    try {
      if (this.#holding.has(id)) {
        await new Promise<void>((resolve, reject) => {
          this.#held.set(id, resolve);
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      }
      if (this.broken.has(id)) throw new Error(`/secret/path of ${id}`);
    } catch (error) {
      this.log.push(`gave up ${id}`);
      throw error;
    } finally {
      this.#startingGib -= model.bytes / GIB;
    }
    if (this.engines.has(id)) throw new Error(`${id} is loaded twice`);
    this.#sizes.set(id, model.bytes);
    this.log.push(`loaded ${id}`);
    let leave: (why: string) => void;
    const exited = new Promise<string>((resolve) => leave = resolve);
    const end = (what: string): void => {
      if (this.engines.get(id) !== engine) return;
      this.engines.delete(id);
      this.#sizes.delete(id);
      this.log.push(`${what} ${id}`);
      leave(what);
    };
    const engine: FakeEngine = {
      id,
      device: this.device,
      exited,
      crash: (why) => end(why),
      trim: () => {
        this.log.push(`trim ${id}`);
        this.trimmableGib = Math.max(0, this.trimmableGib - 1);
        return Promise.resolve();
      },
      stop: async () => {
        await settle(); // a process does not end at once
        end("stop");
      },
    };
    this.engines.set(id, engine);
    return engine;
  };

  #loadedGib(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0) / GIB;
  }
}
