/**
 * The memory of bodies while they are read.
 *
 * @module
 */
import { SvcError } from "../errors/svc_error.ts";

/** Counts the bytes of all bodies that are being read, so that many slow uploads cannot fill the memory. */
export class BodyMemory {
  readonly #limit: number;
  #used = 0;

  /** @param limit Bytes of all of them. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes in use. */
  get used(): number {
    return this.#used;
  }

  /**
   * Takes bytes for a body.
   *
   * @throws {SvcError} 503 `memory_pressure`.
   */
  take(bytes: number): void {
    if (this.#used + bytes > this.#limit) {
      const message = `Cannot read the body: other requests are uploading more than ${this.#limit} bytes, retry later`;
      throw new SvcError("memory_pressure", message);
    }
    this.#used += bytes;
  }

  /** Gives bytes back. */
  release(bytes: number): void {
    this.#used -= bytes;
  }
}
