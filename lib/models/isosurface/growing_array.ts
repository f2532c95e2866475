/**
 * A typed array that grows.
 *
 * @module
 */

type Numbers = Float32Array | Uint32Array;

/** Numbers that are added one by one; twice the room whenever it is used up. */
export class GrowingArray<T extends Numbers> {
  readonly #make: new (length: number) => T;
  #data: T;
  #length = 0;

  /** @param make The kind of array. */
  constructor(make: new (length: number) => T) {
    this.#make = make;
    this.#data = new make(1024);
  }

  /** Numbers so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds a number. */
  push(value: number): void {
    if (this.#length === this.#data.length) {
      const larger = new this.#make(2 * this.#length);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[this.#length++] = value;
  }

  /** All numbers, in an array of their length. */
  take(): T {
    return this.#data.slice(0, this.#length) as T;
  }
}
