/**
 * Counts bytes in use.
 *
 * @module
 */

/** Bytes in use, now and at most. */
export class MemoryLedger {
  allocated = 0;
  peak = 0;

  /** Counts an allocation. */
  take(bytes: number): void {
    this.allocated += bytes;
    this.peak = Math.max(this.peak, this.allocated);
  }

  /** Counts a release. */
  give(bytes: number): void {
    this.allocated -= bytes;
  }
}
