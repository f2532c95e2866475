/**
 * The layout of operation records on disk.
 *
 * @module
 */
import type { RunIssue, RunKind } from "../../api/service/run_recorder.ts";

/** A file of a record. */
export interface RunArtifact {
  /** A `file:` URL. */
  readonly url: string;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly byteCount: number;
}

/** States as they are written; one that has not ended and whose process is gone is read as `interrupted`. */
export type RunState = "preparing" | "running" | "succeeded" | "failed" | "cancelled";

/** The record of an operation. Those of images have `inputs`, those of transcriptions one `input`. */
export interface RunRecordFile {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly state: RunState;
  readonly requested: Readonly<Record<string, unknown>>;
  readonly effective?: Readonly<Record<string, unknown>>;
  readonly input?: RunArtifact;
  readonly inputs?: readonly RunArtifact[];
  readonly artifacts: readonly RunArtifact[];
  readonly issue?: RunIssue;
}

/** The kinds of records. */
export const RUN_KINDS: readonly RunKind[] = ["image", "transcription"];

/** Name of the file of a record. */
export const recordFile = (kind: RunKind): string => `${kind}-run.json`;

/** Name of the file that says which process is at work. */
export const lockFile = (kind: RunKind): string => `.${kind}-run.lock`;
