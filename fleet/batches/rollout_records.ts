/**
 * What the roles of a fleet know of batch rollouts.
 *
 * @module
 */

/** How often a rollout is begun until it is set aside. */
export const MOST_ATTEMPTS = 5;

/** What a rollout waits for, does or has come to. */
export type RolloutPhase = "waiting" | "running" | "done" | "failed";

/** A file of a result, by its SHA-256 in lower-case hexadecimal. */
export interface RolloutFile {
  readonly sha256: string;
  readonly size: number;
}

/** What a rollout has made. */
export interface RolloutResult {
  /** An MP4 file. */
  readonly video: RolloutFile;
  /** Its last frame as a PNG file. */
  readonly frame: RolloutFile;
  /** SHA-256 over the pixels of all frames, the same for the same spec, weights and device. */
  readonly pixels_sha256: string;
  readonly pixel_frame_count: number;
  /** Seconds that the attempt took which made it. */
  readonly seconds: number;
}

/** A rollout of a dataset. Once it is done or failed it never changes again. */
export interface RolloutRecord {
  readonly tenant: string;
  readonly dataset: string;
  readonly item: string;
  readonly pool: string;
  /** The request, as JSON. */
  readonly spec: string;
  readonly phase: RolloutPhase;
  /** Another one where a rollout was removed and submitted again: its ticket is not taken for the old one. */
  readonly generation?: number;
  /** How often it was begun; one that was given up for a world does not count. */
  readonly attempt: number;
  /** Who runs it, and the id of that attempt. */
  readonly owner?: { readonly worker: string; readonly epoch: string; readonly claim: string };
  readonly result?: RolloutResult;
  /** Why it failed, or why the attempt before did. */
  readonly reason?: string;
}

/** Where a rollout is kept. */
export function rolloutKey({ tenant, dataset, item }: Pick<RolloutRecord, "tenant" | "dataset" | "item">): string {
  return `${tenant}.${dataset}.${item}`;
}

/** Whether a rollout has come to its end. */
export function hasEnded({ phase }: Pick<RolloutRecord, "phase">): boolean {
  return phase === "done" || phase === "failed";
}
