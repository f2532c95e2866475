/**
 * Bit strings of H.264 (ITU-T H.264, clauses 7.2 and 9.1).
 *
 * @module
 */

/** Reads bits from the highest of the first byte on. */
export class BitReader {
  readonly #bytes: Uint8Array;
  /** Bits read so far. */
  position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @throws {RangeError} after the end. */
  bit(): number {
    const byte = this.#bytes[this.position >> 3];
    if (byte === undefined) throw new RangeError(`Cannot read bit ${this.position}: the data ends before it`);
    return (byte >> (7 - (this.position++ & 7))) & 1;
  }

  /** An unsigned number of `count` bits, at most 32: u(n). */
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value = value * 2 + this.bit();
    return value;
  }

  /** An unsigned exponential-Golomb number: ue(v). */
  unsigned(): number {
    let zeros = 0;
    while (this.bit() === 0) zeros++;
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** A signed exponential-Golomb number: se(v). */
  signed(): number {
    const k = this.unsigned();
    return k % 2 ? (k + 1) / 2 : -k / 2;
  }
}

/** Writes bits. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #length = 0;

  bit(value: number): void {
    if (this.#length % 8 === 0) this.#bytes.push(0);
    if (value) this.#bytes[this.#bytes.length - 1] |= 0x80 >> (this.#length % 8);
    this.#length++;
  }

  bits(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) this.bit((value >> i) & 1);
  }

  /** Copies bits up to `end` from the reader. */
  copy(reader: BitReader, end: number): void {
    while (reader.position < end) this.bit(reader.bit());
  }

  /** The bits; the last byte is padded with zeros. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#bytes);
  }
}
