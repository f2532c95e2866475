/**
 * The progress of file transfers.
 *
 * @module
 */

/** Transferred bytes of one file. */
export interface TransferProgress {
  /** The kind of transfer. */
  readonly step: "copy" | "hash" | "download" | "verify" | "convert";
  /** Path within the model. */
  readonly path: string;
  readonly done: number;
  readonly total: number;
}

/** Called on progress, at most a few times per second and file. */
export type OnTransfer = (progress: TransferProgress) => void;
