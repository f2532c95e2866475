/**
 * Lets one operation change a session at a time.
 *
 * @module
 */
import { WorldError } from "../protocol/world_error.ts";

/** Who is changing the session; a second operation is refused at once instead of waiting. */
export class OneAtATime {
  #current: string | undefined;
  #closed = false;

  /**
   * Begins an operation.
   *
   * @param action The words after "Cannot", such as `start a rollout`.
   * @param runningJob Id of the job that is the operation under way, if it is one.
   * @throws {WorldError} `session_busy`, and `session_closed` after {@linkcode close}.
   */
  begin(action: string, runningJob: string | undefined): void {
    if (this.#closed) {
      throw new WorldError("conflict_error", "session_closed", `Cannot ${action}: the session is shutting down`);
    }
    if (this.#current !== undefined) {
      const other = runningJob ? `job ${runningJob} is running` : `another request is about to ${this.#current}`;
      throw new WorldError("conflict_error", "session_busy", `Cannot ${action}: ${other}, wait until it has ended`);
    }
    this.#current = action;
  }

  /** Ends the operation that has begun. */
  end(): void {
    this.#current = undefined;
  }

  /** Refuses every further operation. */
  close(): void {
    this.#closed = true;
  }
}
