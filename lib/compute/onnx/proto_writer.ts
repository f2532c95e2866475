/**
 * Writes protocol buffer messages, as far as ONNX needs them.
 *
 * @module
 */

const encoder = new TextEncoder();

/** One message under construction; see "Encoding" in the protocol buffers documentation for the wire format. */
export class ProtoWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** A 64-bit integer; numbers must be safe integers. */
  int(field: number, value: number): this {
    this.#varint(field << 3);
    this.#varint(value);
    return this;
  }

  /** A 32-bit float. */
  float(field: number, value: number): this {
    this.#varint((field << 3) | 5);
    this.#append(new Uint8Array(Float32Array.of(value).buffer));
    return this;
  }

  /** A length-delimited field. */
  bytes(field: number, value: Uint8Array): this {
    this.#varint((field << 3) | 2);
    this.#varint(value.length);
    this.#append(value);
    return this;
  }

  /** A string in UTF-8. */
  string(field: number, value: string): this {
    return this.bytes(field, encoder.encode(value));
  }

  /** A nested message. */
  message(field: number, value: ProtoWriter): this {
    return this.bytes(field, value.finish());
  }

  /** Already serialized fields. */
  fields(written: Uint8Array): this {
    this.#append(written);
    return this;
  }

  /** The serialized message; valid until the next write. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #varint(value: number): void {
    // Two's complement in 64 bits, seven bits a byte; only negative numbers need more than a double holds.
    if (value < 0) {
      let rest = BigInt.asUintN(64, BigInt(value));
      for (; rest > 127n; rest >>= 7n) this.#byte(Number(rest & 127n) | 128);
      this.#byte(Number(rest));
      return;
    }
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#byte((rest % 128) | 128);
    this.#byte(rest);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  #append(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  #reserve(extra: number): void {
    const needed = this.#length + extra;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
