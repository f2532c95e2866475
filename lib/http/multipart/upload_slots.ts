/**
 * How much all uploads of a server may hold together.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";

/** One upload's share, from its first byte until its files are gone. */
export interface UploadSlot {
  /**
   * Counts bytes.
   *
   * @throws {SvcError} 503 `memory_pressure` when all uploads together have too many.
   */
  take(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

/** Counts uploads and their bytes, so that many large or slow ones cannot fill the disk. */
export class UploadSlots {
  readonly #maxUploads: number;
  readonly #maxBytes: number;
  #uploads = 0;
  #bytes = 0;

  /**
   * @param maxUploads How many may be under way or in use at a time.
   * @param maxBytes Bytes of all of them.
   */
  constructor(maxUploads: number, maxBytes: number) {
    this.#maxUploads = maxUploads;
    this.#maxBytes = maxBytes;
  }

  /** Bytes of all uploads. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes a slot.
   *
   * @throws {SvcError} 429 `queue_full` when there is none.
   */
  open(): UploadSlot {
    if (this.#uploads >= this.#maxUploads) {
      const message = `Cannot read the form: ${this.#maxUploads} others are being uploaded or worked on, retry later`;
      throw new SvcError("queue_full", message);
    }
    this.#uploads++;
    let mine = 0;
    let open = true;
    return {
      take: (bytes) => {
        if (this.#bytes + bytes > this.#maxBytes) {
          const message = `Cannot read the form: all uploads together exceed ${this.#maxBytes} bytes, retry later`;
          throw new SvcError("memory_pressure", message);
        }
        this.#bytes += bytes;
        mine += bytes;
      },
      release: () => {
        if (!open) return;
        open = false;
        this.#uploads--;
        this.#bytes -= mine;
      },
    };
  }
}
