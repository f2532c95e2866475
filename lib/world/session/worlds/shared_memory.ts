/**
 * The memory of a server with several worlds.
 *
 * @module
 */
import type { SessionMemory, SharedSessionMemory } from "../memory_admission.ts";

/** A world as far as its memory goes. */
export interface MemoryHolder {
  /** Whether the model has a chain of it, or is about to. */
  readonly holdsMemory: boolean;
  /** Whether it cannot be parked now. */
  readonly isBusy: boolean;
  /** See {@linkcode WorldSession.park}. */
  park(): Promise<boolean>;
}

interface Share {
  readonly holder: () => MemoryHolder;
  bytes: number;
}

/** Shares memory between worlds: each may take what the others do not hold, those that rest are parked for it. */
export class SharedMemory {
  readonly #memory: SessionMemory;
  /** Those that were used least recently come first. */
  readonly #shares = new Set<Share>();

  /** @param memory That of the machine. */
  constructor(memory: SessionMemory) {
    this.#memory = memory;
  }

  /**
   * The memory as one world sees it.
   *
   * @param holder Not asked before the world is used.
   */
  for(holder: () => MemoryHolder): SharedSessionMemory {
    const share: Share = { holder, bytes: 0 };
    const { unit } = this.#memory;
    return {
      unit,
      plan: (size, device) => this.#memory.plan(size, device),
      chain: (size, device) => this.#memory.chain(size, device),
      room: (device) => this.#memory.room(device),
      others: () => this.#held(share).reduce((sum, { bytes }) => sum + bytes, 0),
      makeRoom: async () => {
        for (const other of this.#held(share)) if (await other.holder().park()) return true;
        return false;
      },
      take: (bytes) => {
        share.bytes = bytes;
        this.#shares.delete(share);
        this.#shares.add(share);
      },
    };
  }

  /** The memory as a world sees it that is about to be opened: all that rest could be parked for it. */
  forNewWorld(): SharedSessionMemory {
    const memory = this.for(() => ({ holdsMemory: false, isBusy: false, park: () => Promise.resolve(false) }));
    const busy = (): Share[] => [...this.#shares].filter(({ holder }) => holder().isBusy);
    return {
      ...memory,
      others: () => busy().reduce((sum, { bytes }) => sum + bytes, 0),
      makeRoom: () => Promise.resolve(false),
      take: () => {}, // it is cold
    };
  }

  /** The shares of all other worlds that hold memory; what a world was that is gone is forgotten. */
  #held(own: Share): Share[] {
    for (const share of this.#shares) if (share !== own && !share.holder().holdsMemory) this.#shares.delete(share);
    return [...this.#shares].filter((share) => share !== own);
  }
}
