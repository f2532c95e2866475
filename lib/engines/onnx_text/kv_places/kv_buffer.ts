/**
 * Keys and values of several sequences, in host memory, where a device may be ahead of it.
 *
 * @module
 */
import type { DecoderGraph } from "../decoder/decoder_graph.ts";

/** Elements as stored; half floats by their bits. */
export type KvArray = Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/**
 * Growth step in tokens, besides a sixteenth of the size: growing by single tokens would copy everything each time.
 * Graphs spend time on unused capacity too.
 */
const STEP = 64;

/** The size of one token's keys or values. */
export type KvShape = Pick<DecoderGraph, "kvType" | "kv" | "states">;

/** Newer keys and values of a buffer, on a device. */
export interface KvMirror {
  /** Whether the buffer has everything too. */
  readonly settled: boolean;
  /** Copies to the buffer what it lacks. */
  settle(buffer: KvBuffer): Promise<void>;
  /** Frees its memory. */
  dispose(): void;
}

/**
 * For each tensor of a decoder `[slots, heads, capacity, dim]`. The sequences of the first slots form a batch without
 * copying; each sequence stores how many of its tokens are used.
 */
export class KvBuffer {
  readonly slots: number;
  /** Set by the decoder; undefined where the buffer has everything. */
  mirror: KvMirror | undefined;
  readonly #shape: KvShape;
  readonly #states: readonly KvArray[];
  #capacity = 0;
  #arrays: readonly KvArray[];

  constructor(shape: KvShape, slots: number, tokens: number) {
    this.slots = slots;
    this.#shape = shape;
    this.#arrays = shape.kv.map(() => newKvArray(shape.kvType, 0));
    this.#states = shape.states.map(({ shape, type }) => newKvArray(type, slots * elements(shape)));
    this.reserve(tokens, []);
  }

  /** Tokens that a slot can hold. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Bytes that it takes. */
  get byteLength(): number {
    return [...this.#arrays, ...this.#states].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Copies what only a device has: needed before anything but a step of the decoder. */
  async settle(): Promise<void> {
    if (this.mirror?.settled === false) await this.mirror.settle(this);
  }

  /** Frees the memory on a device. What was not settled is lost. */
  dispose(): void {
    this.mirror?.dispose();
    this.mirror = undefined;
  }

  /** Ensures capacity for so many tokens in each slot; of slot `i` the first `lengths[i]` are kept. */
  reserve(tokens: number, lengths: readonly number[]): void {
    if (tokens <= this.#capacity) return;
    this.#leaveDevice();
    const capacity = Math.ceil(Math.max(tokens, this.#capacity * 17 / 16) / STEP) * STEP;
    const grown = this.#shape.kv.map(({ heads, dim }) =>
      newKvArray(this.#shape.kvType, this.slots * heads * capacity * dim)
    );
    const before = { arrays: this.#arrays, capacity: this.#capacity };
    this.#arrays = grown;
    this.#capacity = capacity;
    lengths.forEach((length, slot) => this.#copy(before, slot, slot, length));
  }

  /** Elements of the first `count` slots of a tensor. */
  view(tensor: number, count: number): KvArray {
    const { heads, dim } = this.#shape.kv[tensor];
    return this.#arrays[tensor].subarray(0, count * heads * this.#capacity * dim);
  }

  /** The first `length` tokens of the first slot without gaps, `[heads, length, dim]`. */
  compact(tensor: number, length: number): KvArray {
    const { heads, dim } = this.#shape.kv[tensor];
    const part = newKvArray(this.#shape.kvType, heads * length * dim);
    this.read(tensor, 0, 0, length, part, 0, length);
    return part;
  }

  /** Copies `count` tokens of a slot from `start` into `[heads, width, dim]` at `at` of `to`. */
  read(tensor: number, slot: number, start: number, count: number, to: KvArray, at: number, width: number): void {
    const { heads, dim } = this.#shape.kv[tensor];
    const array = this.#arrays[tensor];
    for (let head = 0; head < heads; head++) {
      const from = ((slot * heads + head) * this.#capacity + start) * dim;
      to.set(array.subarray(from, from + count * dim), at + head * width * dim);
    }
  }

  /** Copies the first `count` tokens of `[heads, width, dim]` at `at` of `from` to position `start` of a slot. */
  write(tensor: number, slot: number, start: number, count: number, from: KvArray, at: number, width: number): void {
    const { heads, dim } = this.#shape.kv[tensor];
    const array = this.#arrays[tensor];
    for (let head = 0; head < heads; head++) {
      const first = at + head * width * dim;
      const to = ((slot * heads + head) * this.#capacity + start) * dim;
      array.set(from.subarray(first, first + count * dim), to);
    }
  }

  /** A state of the first `count` slots; zeros before the first token. */
  states(state: number, count: number): KvArray {
    return this.#states[state].subarray(0, count * elements(this.#shape.states[state].shape));
  }

  /** Replaces a state of the first slots. */
  setStates(state: number, values: KvArray): void {
    this.#states[state].set(values);
  }

  /** Copies a sequence of another buffer, or of this one, into a slot. */
  take(slot: number, from: KvBuffer, fromSlot: number, length: number): void {
    from.#requireSettled();
    this.#leaveDevice();
    for (const [i, { shape }] of this.#shape.states.entries()) {
      const size = elements(shape);
      this.#states[i].set(from.#states[i].subarray(fromSlot * size, (fromSlot + 1) * size), slot * size);
    }
    this.#copy({ arrays: from.#arrays, capacity: from.#capacity }, fromSlot, slot, length);
  }

  /** Before a change: the copy on a device no longer holds. */
  #leaveDevice(): void {
    this.#requireSettled();
    this.dispose();
  }

  #requireSettled(): void {
    if (this.mirror?.settled === false) {
      throw new Error("Cannot use a buffer of keys and values: a device is ahead of it, expected it to be settled");
    }
  }

  #copy(
    from: { readonly arrays: readonly KvArray[]; readonly capacity: number },
    fromSlot: number,
    slot: number,
    length: number,
  ): void {
    if (length === 0) return;
    this.#shape.kv.forEach(({ heads, dim }, tensor) => {
      const size = heads * from.capacity * dim;
      this.write(tensor, slot, 0, length, from.arrays[tensor], fromSlot * size, from.capacity);
    });
  }
}

function elements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** An array of zeros. */
export function newKvArray(type: DecoderGraph["kvType"], length: number): KvArray {
  return type === "float32" ? new Float32Array(length) : new Uint16Array(length);
}
