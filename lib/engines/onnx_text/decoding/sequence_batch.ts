/**
 * Sequences decoded in one batch.
 *
 * @module
 */
import { KvBuffer, type KvShape } from "../kv_places/kv_buffer.ts";
import type { Sequence } from "./sequence.ts";

/** Sequences with their state in one buffer, one slot each. */
export class SequenceBatch {
  readonly #shape: KvShape;
  readonly #max: number;
  #sequences: Sequence[] = [];
  #buffer: KvBuffer | undefined;

  /** @param max Maximum number of sequences. */
  constructor(shape: KvShape, max: number) {
    this.#shape = shape;
    this.#max = max;
  }

  /** The sequences in the order of their slots. */
  get sequences(): readonly Sequence[] {
    return this.#sequences;
  }

  /** The slot of a sequence in its buffer; sequences outside the batch have their own buffer. */
  slotOf(sequence: Sequence): number {
    return Math.max(this.#sequences.indexOf(sequence), 0);
  }

  /** Adds sequences that are not yet included, and ensures capacity for one more token each. */
  async gather(sequences: readonly Sequence[]): Promise<KvBuffer> {
    const newcomers = sequences.filter((sequence) => !this.#sequences.includes(sequence));
    const longest = Math.max(...sequences.map((sequence) => sequence.length + 1));
    if (newcomers.length > 0 || longest > (this.#buffer?.capacity ?? 0)) await this.#buffer?.settle();
    const buffer = this.#widen(this.#sequences.length + newcomers.length, longest);
    buffer.reserve(longest, this.#sequences.map((sequence) => sequence.length));
    for (const sequence of newcomers) {
      const own = sequence.buffer as KvBuffer;
      await own.settle();
      buffer.take(this.#sequences.length, own, 0, sequence.length);
      own.dispose();
      sequence.buffer = buffer;
      this.#sequences.push(sequence);
    }
    return buffer;
  }

  /** Removes a sequence; the last one moves into its slot. */
  async remove(sequence: Sequence): Promise<void> {
    const slot = this.#sequences.indexOf(sequence);
    if (slot < 0) return sequence.buffer?.dispose();
    if (slot < this.#sequences.length - 1) await this.#buffer?.settle();
    const last = this.#sequences.pop() as Sequence;
    if (this.#sequences.length === 0) this.#buffer?.dispose();
    if (last === sequence) return;
    this.#sequences[slot] = last;
    this.#buffer?.take(slot, this.#buffer, this.#sequences.length, last.length);
  }

  /** Forgets all sequences, and frees the buffer. */
  clear(): void {
    this.#sequences = [];
    this.#buffer?.dispose();
    this.#buffer = undefined;
  }

  #widen(slots: number, tokens: number): KvBuffer {
    const narrow = this.#buffer;
    if (narrow !== undefined && narrow.slots >= slots) return narrow;
    const wide = new KvBuffer(this.#shape, Math.min(2 * slots, this.#max), tokens);
    for (const [slot, sequence] of this.#sequences.entries()) {
      wide.take(slot, narrow as KvBuffer, slot, sequence.length);
      sequence.buffer = wide;
    }
    narrow?.dispose();
    this.#buffer = wide;
    return wide;
  }
}
