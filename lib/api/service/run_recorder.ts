/**
 * Records of operations, which a server keeps where it is asked to.
 *
 * @module
 */
import { asSvcError } from "../../errors/svc_error.ts";

/** What a record is about; the words of its files and folders come from it. */
export type RunKind = "image" | "transcription";

/** A file that an operation reads. */
export interface RunInput {
  /** What it is in the record, without an ending: `audio`, `input`, `mask`, `reference-1`. */
  readonly name: string;
  readonly path: string;
  /** As the client calls it; only its ending is kept. */
  readonly filename?: string | undefined;
}

/** An operation that is going to run. Nothing here may hold a key or a header of its request. */
export interface RunPlan {
  /** What the client has asked for. */
  readonly requested: Readonly<Record<string, unknown>>;
  /** What runs, with all defaults. */
  readonly effective: Readonly<Record<string, unknown>>;
  /** More members of the record, such as the `modelSelector` of images. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly inputs: readonly RunInput[];
}

/** A file that an operation has made. */
export interface RunOutput {
  /** Such as `output.png`. */
  readonly name: string;
  /** Its bytes, or the path of a file that is copied. */
  readonly content: Uint8Array | string;
}

/** Why an operation has not succeeded, as its client sees it. */
export interface RunIssue {
  readonly code: string;
  readonly message: string;
}

/** The record of an operation that runs. */
export interface OpenRunRecord {
  succeed(outputs: readonly RunOutput[]): Promise<void>;
  end(state: "failed" | "cancelled", issue: RunIssue): Promise<void>;
}

/** Keeps records of one kind. */
export interface RunRecorder {
  /**
   * Starts the record of an operation whose plan has resolved, with copies of its inputs.
   *
   * @throws {SvcError} when it cannot be written.
   */
  begin(plan: RunPlan): Promise<OpenRunRecord>;
}

/** What an operation gives, and the files of it that a record keeps. */
export interface RecordedWork<T> {
  readonly result: T;
  readonly outputs: () => readonly RunOutput[];
}

/**
 * Runs an operation under a record, which ends as the operation does.
 *
 * @param recorder Without one, the operation just runs.
 */
export async function recordRun<T>(
  recorder: RunRecorder | undefined,
  plan: () => RunPlan,
  signal: AbortSignal,
  work: () => Promise<RecordedWork<T>>,
): Promise<T> {
  if (!recorder) return (await work()).result;
  const record = await recorder.begin(plan());
  try {
    const { result, outputs } = await work();
    await record.succeed(outputs());
    return result;
  } catch (error) {
    const { code, message } = asSvcError(error);
    const issue = signal.aborted
      ? { code: "client_disconnected", message: "The client has disconnected, or the server was stopped" }
      : { code, message };
    await record.end(signal.aborted ? "cancelled" : "failed", issue);
    throw error;
  }
}
