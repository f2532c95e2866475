/**
 * Whether the machine has the memory that frames of a size need, asked before they are generated, and how several worlds
 * share it.
 *
 * @module
 */
import { invalidRequest, SvcError } from "../../errors/svc_error.ts";
import { showBytes } from "../../errors/show.ts";
import type { PlannedSize } from "../../models/world/memory_plan.ts";

/** Memory of the process that generates, in bytes. */
export interface MemoryRoom {
  /** What it has. */
  readonly held: number;
  /** What it could have besides now. */
  readonly free: number;
  /** What it could have at most, however little other programs use. */
  readonly most: number;
}

/** Plans and measures memory. */
export interface SessionMemory {
  /** Sides of frames are multiples of this. */
  readonly unit: number;
  /** Bytes while it generates frames of a size: of the whole process on the CPU, of the GPU on one. */
  plan(size: PlannedSize, device: string): Promise<number>;
  /** Bytes of one world between two moves, besides what worlds share. */
  chain(size: PlannedSize, device: string): Promise<number>;
  /**
   * The memory at present; undefined where nothing says how much there is.
   *
   * @param device The device as far as it is known, such as `auto` or `cpu (2 threads)`.
   */
  room(device: string): Promise<MemoryRoom | undefined>;
}

/** What one of several worlds sees of the memory that they share. */
interface SharedSessionMemory extends SessionMemory {
  /** Bytes that the other worlds hold now. */
  others(): number;
  /** Parks the one of them that was used least recently; false when all that hold memory are busy. */
  makeRoom(): Promise<boolean>;
  /** This world is about to hold so many bytes. */
  take(bytes: number): void;
}

/** Shares of a size's sides that are tried for one that fits. */
const SHARES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];

/**
 * Refuses frames for which there is not enough memory.
 *
 * @param action Follows "Cannot" in the message.
 * @throws {SvcError} 400 `size_exceeds_memory` for what can never fit, 503 `memory_pressure` for what does not fit now;
 * both name a size that does.
 */
export async function admitSize(
  memory: SessionMemory | SharedSessionMemory,
  device: string,
  action: string,
  size: PlannedSize,
): Promise<void> {
  const shared = "others" in memory ? memory : undefined;
  let room = await memory.room(device);
  if (room === undefined) return;
  const needed = await memory.plan(size, device);
  const chain = await shared?.chain(size, device);
  const left = ({ held, free, most }: MemoryRoom): number => Math.min(held + free, most) - (shared?.others() ?? 0);
  // Nothing is awaited between the look and the claim, so that two worlds do not get the same bytes.
  while (needed > left(room)) {
    if (needed > room.most || !await shared?.makeRoom()) {
      return await refuse(memory, device, action, size, room, needed);
    }
    room = await memory.room(device) ?? room;
  }
  shared?.take(chain!);
}

async function refuse(
  memory: SessionMemory | SharedSessionMemory,
  device: string,
  action: string,
  size: PlannedSize,
  room: MemoryRoom,
  needed: number,
): Promise<never> {
  const others = "others" in memory ? memory.others() : 0;
  const never = needed > room.most;
  const limit = never ? room.most : Math.max(0, Math.min(room.held + room.free, room.most) - others);
  const fitting = await largestFitting(memory, device, size, limit);
  const message =
    `Cannot ${action}: frames of ${size.width}x${size.height} need about ${showBytes(needed)} of memory, ` +
    `${showBytes(limit)} ${never ? "is all there can be" : "is all there is now"}; ` +
    (fitting ? `${fitting.width}x${fitting.height} fits` : "no smaller size fits either") +
    (never ? "" : others > 0 ? ", or try again when other worlds rest" : ", or end other programs and try again");
  throw never
    ? invalidRequest("size_exceeds_memory", message, "width")
    : new SvcError("memory_pressure", message, { param: "width" });
}

async function largestFitting(
  memory: SessionMemory,
  device: string,
  size: PlannedSize,
  limit: number,
): Promise<PlannedSize | undefined> {
  const scaled = (side: number, share: number) =>
    Math.max(memory.unit, Math.floor(side * share / memory.unit) * memory.unit);
  for (const share of SHARES) {
    const smaller = { ...size, width: scaled(size.width, share), height: scaled(size.height, share) };
    if (await memory.plan(smaller, device) <= limit) return smaller;
  }
  return undefined;
}

/** A world as far as its memory goes. */
interface MemoryHolder {
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
