/**
 * Texts that are written in one batch.
 *
 * @module
 */
import { KvBuffer, type KvShape } from "./kv_buffer.ts";
import type { TextRow } from "./text_row.ts";

/** Rows with their state in one buffer: each in the slot of its place. */
export class RowBatch {
  readonly #shape: KvShape;
  readonly #most: number;
  #rows: TextRow[] = [];
  #buffer: KvBuffer | undefined;

  /** @param most Rows that there can be. */
  constructor(shape: KvShape, most: number) {
    this.#shape = shape;
    this.#most = most;
  }

  /** The rows in the order of their slots. */
  get rows(): readonly TextRow[] {
    return this.#rows;
  }

  /** The slot of a row in its buffer; rows that are not in the batch have a buffer for themselves. */
  slotOf(row: TextRow): number {
    return Math.max(this.#rows.indexOf(row), 0);
  }

  /** Takes rows in that are not yet there, and makes room for a token of each. */
  gather(rows: readonly TextRow[]): KvBuffer {
    const newcomers = rows.filter((row) => !this.#rows.includes(row));
    const longest = Math.max(...rows.map((row) => row.length + 1));
    const buffer = this.#widen(this.#rows.length + newcomers.length, longest);
    buffer.reserve(longest, this.#rows.map((row) => row.length));
    for (const row of newcomers) {
      buffer.take(this.#rows.length, row.buffer as KvBuffer, 0, row.length);
      row.buffer = buffer;
      this.#rows.push(row);
    }
    return buffer;
  }

  /** Lets a row go; the last one moves into its slot. */
  remove(row: TextRow): void {
    const slot = this.#rows.indexOf(row);
    if (slot < 0) return;
    const last = this.#rows.pop() as TextRow;
    if (last === row) return;
    this.#rows[slot] = last;
    this.#buffer?.take(slot, this.#buffer, this.#rows.length, last.length);
  }

  /** Gives the buffer back; no row is there. */
  clear(): void {
    this.#buffer = undefined;
  }

  #widen(slots: number, tokens: number): KvBuffer {
    const narrow = this.#buffer;
    if (narrow !== undefined && narrow.slots >= slots) return narrow;
    const wide = new KvBuffer(this.#shape, Math.min(2 * slots, this.#most), tokens);
    for (const [slot, row] of this.#rows.entries()) {
      wide.take(slot, narrow as KvBuffer, slot, row.length);
      row.buffer = wide;
    }
    this.#buffer = wide;
    return wide;
  }
}
