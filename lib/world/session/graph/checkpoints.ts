/**
 * Checkpoints: states of a session that can be returned to.
 *
 * @module
 */
import * as v from "valibot";
import type { SessionState } from "./session_state.ts";
import { readRequestFields } from "../../protocol/requests/request_fields.ts";
import type { CheckpointRecord } from "../../protocol/wire.ts";
import { conflict, notFound } from "../../../errors/svc_error.ts";

/** Maximum number of characters of a checkpoint's name. */
const MAX_NAME = 200;

const name = `expected 1 to ${MAX_NAME} characters`;
const checkpointFields = v.object({
  name: v.pipe(
    v.string("expected a string"),
    v.check((text) => text !== "" && [...text].length <= MAX_NAME, name),
    v.metadata({ minLength: 1, maxLength: MAX_NAME }),
  ),
});

/** The body of a checkpoint request, for the API description. */
export const checkpointBodySchema: v.GenericSchema = checkpointFields;

/**
 * Validates the body of a checkpoint request; returns its name.
 *
 * @throws {SvcError} `invalid_request_error` with the field in `param`.
 */
export function readCheckpointRequest(body: unknown): string {
  return readRequestFields("create a checkpoint", body, checkpointFields, checkpointFields).name;
}

/** A checkpoint, and what restoring it needs. */
export interface Checkpoint {
  readonly record: CheckpointRecord;
  readonly state: SessionState;
  /** The model's snapshot; undefined when the state has no chain. */
  readonly modelState: number | undefined;
  /** The checkpoint's own copy of the frame. */
  readonly framePath: string;
}

/** The checkpoints of a session, oldest first. */
export class Checkpoints {
  readonly #limit: number;
  readonly #drop: (checkpoint: Checkpoint) => Promise<void>;
  readonly #checkpoints = new Map<string, Checkpoint>();

  /**
   * @param limit Maximum number of checkpoints.
   * @param drop Releases what a checkpoint holds.
   */
  constructor(limit: number, drop: (checkpoint: Checkpoint) => Promise<void>) {
    this.#limit = limit;
    this.#drop = drop;
  }

  get size(): number {
    return this.#checkpoints.size;
  }

  list(): readonly Checkpoint[] {
    return [...this.#checkpoints.values()];
  }

  /**
   * The checkpoint with an id, in either case.
   *
   * @throws {SvcError} `checkpoint_not_found`.
   */
  get(id: string): Checkpoint {
    const checkpoint = this.#checkpoints.get(id.toLowerCase());
    if (checkpoint) return checkpoint;
    const message =
      `Cannot find checkpoint "${id}": the session has none with this id, GET the list to see those it has`;
    throw notFound("checkpoint_not_found", message);
  }

  /**
   * Checks that another one fits.
   *
   * @throws {SvcError} `too_many_checkpoints`.
   */
  checkCapacity(): void {
    if (this.#checkpoints.size < this.#limit) return;
    const message = `Cannot create a checkpoint: there are ${this.#limit} already, delete one first`;
    throw conflict("too_many_checkpoints", message);
  }

  add(checkpoint: Checkpoint): void {
    this.#checkpoints.set(checkpoint.record.checkpointId, checkpoint);
  }

  /** Removes a checkpoint and releases what it holds. */
  async remove(checkpoint: Checkpoint): Promise<void> {
    this.#checkpoints.delete(checkpoint.record.checkpointId);
    // What is already gone, with its model or from the disk, needs no release.
    await this.#drop(checkpoint).catch(() => {});
  }

  async clear(): Promise<void> {
    await Promise.all(this.list().map((checkpoint) => this.remove(checkpoint)));
  }
}
