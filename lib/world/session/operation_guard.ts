/**
 * Lets one operation change a session at a time.
 *
 * @module
 */
import { conflict } from "../../errors/svc_error.ts";

/** Refuses a second operation at once, instead of letting it wait. */
export class OperationGuard {
  #current: string | undefined;
  #closed = false;

  /**
   * Begins an operation.
   *
   * @param action What follows "Cannot" in messages, such as `start a rollout`.
   * @param runningJob Id of the job that is the current operation, if it is one.
   * @throws {SvcError} `session_busy`, and `session_closed` after {@linkcode close}.
   */
  begin(action: string, runningJob: string | undefined): void {
    this.check(action, runningJob);
    this.#current = action;
  }

  /** Throws what {@linkcode begin} would throw. */
  check(action: string, runningJob: string | undefined): void {
    if (this.#closed) {
      throw conflict("session_closed", `Cannot ${action}: the session is shutting down`);
    }
    if (this.#current !== undefined) {
      const other = runningJob ? `job ${runningJob} is running` : `another request is about to ${this.#current}`;
      throw conflict("session_busy", `Cannot ${action}: ${other}, wait until it has ended`);
    }
  }

  /** Whether an operation is in progress. */
  get isActive(): boolean {
    return this.#current !== undefined;
  }

  /** Whether an operation is in progress, or no new one can begin. */
  get isBusy(): boolean {
    return this.#closed || this.#current !== undefined;
  }

  /** Ends the current operation. */
  end(): void {
    this.#current = undefined;
  }

  /** Refuses all further operations. */
  close(): void {
    this.#closed = true;
  }
}
