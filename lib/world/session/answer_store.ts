/**
 * Where the answers to requests with an `Idempotency-Key` outlive their process.
 *
 * @module
 */

/** What a request was, as far as two of them have to be equal. */
export interface Fingerprint {
  readonly target: string;
  /** Bytes of the body; absent when the handler did not look at it. */
  readonly length?: number;
  readonly digest: string;
}

/** An answer as it is given again. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array<ArrayBuffer>;
}

/** A request with a key. */
export interface KeptRequest extends Fingerprint {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The id of what it makes, which was chosen before it was made. */
  readonly id?: string;
  /** Absent while the request is being answered. */
  readonly answer?: GivenAnswer;
}

/** Keeps requests. */
export interface AnswerStore {
  /** Those that an earlier process has left, the oldest first; of one key the last one counts. */
  readonly found: readonly KeptRequest[];
  /**
   * Adds one.
   *
   * @param all Everything that is to be kept now, with this one, the oldest first.
   */
  keep(request: KeptRequest, all: () => readonly KeptRequest[]): Promise<void>;
}
