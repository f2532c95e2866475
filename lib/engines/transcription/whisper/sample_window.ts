/**
 * A window over a stream of samples.
 *
 * @module
 */

/** Keeps what lies between the start of the window and what has been read. */
export class SampleWindow {
  readonly #source: AsyncIterator<Float32Array<ArrayBufferLike>>;
  #kept = new Float32Array();
  #start = 0;
  #ended = false;

  constructor(source: AsyncIterable<Float32Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Samples that have been read by now; all of them once a window was not full. */
  get received(): number {
    return this.#start + this.#kept.length;
  }

  /** Up to `length` samples from `start` on, which never goes back: fewer only at the end of the stream. */
  async read(start: number, length: number): Promise<Float32Array<ArrayBuffer>> {
    const parts: Float32Array[] = [this.#kept.subarray(Math.min(start - this.#start, this.#kept.length))];
    let count = this.received - start;
    while (count < length && !this.#ended) {
      const { value, done } = await this.#source.next();
      if (done) this.#ended = true;
      else {
        parts.push(count < 0 ? value.subarray(Math.min(-count, value.length)) : value);
        count += value.length;
      }
    }
    const kept = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      kept.set(part, at);
      at += part.length;
    }
    this.#start = count < 0 ? start + count : start;
    this.#kept = kept;
    return kept.slice(0, length);
  }

  /** Ends the stream. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
