/**
 * How far files on their way are.
 *
 * @module
 */

/** Bytes of one file that are done. */
export interface TransferProgress {
  /** What is done with it. */
  readonly step: "copy" | "hash" | "download" | "verify";
  /** Path within the model. */
  readonly path: string;
  readonly done: number;
  readonly total: number;
}

/** Hears of progress, some times a second at most for each file. */
export type OnTransfer = (progress: TransferProgress) => void;
