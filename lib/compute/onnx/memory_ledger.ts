/**
 * Counts bytes that are in use.
 *
 * @module
 */

/** Bytes in use now and at most so far. */
export class MemoryLedger {
  allocated = 0;
  peak = 0;

  /** Counts bytes in. */
  take(bytes: number): void {
    this.allocated += bytes;
    this.peak = Math.max(this.peak, this.allocated);
  }

  /** Counts bytes out. */
  give(bytes: number): void {
    this.allocated -= bytes;
  }
}
