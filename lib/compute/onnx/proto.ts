/**
 * Reads and writes protocol buffer messages, as far as ONNX needs them.
 *
 * @module
 */

const decoder = new TextDecoder();

/** A field of a message: the number of a varint, or the bytes of anything else. */
interface ProtoField {
  readonly field: number;
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Tag, length and value as serialized. */
  readonly whole: Uint8Array;
}

/** The location of a field. */
export interface ProtoPlace {
  readonly field: number;
  /** Of a varint; 0 otherwise. */
  readonly number: number;
  /** Start and end of its bytes; empty for a varint. */
  readonly start: number;
  readonly end: number;
}

/** Maximum number of bytes of a field before its content. */
export const MAX_FIELD_HEAD = 20;

/**
 * The fields of a message in order; see "Encoding" in the protocol buffers documentation for the wire format.
 *
 * @throws {RangeError} when the bytes are not a message.
 */
export function* readProto(message: Uint8Array): Generator<ProtoField> {
  for (let at = 0; at < message.length;) {
    const place = readPlace(message, at);
    if (place.end > message.length) throw cutOff(at);
    const { field, number, start, end } = place;
    yield { field, number, bytes: message.subarray(start, end), whole: message.subarray(at, end) };
    at = place.end;
  }
}

/**
 * Locates the field whose tag is at `at`; its bytes may exceed the available ones.
 *
 * @throws {RangeError} when there is no field.
 */
export function readPlace(bytes: Uint8Array, at: number): ProtoPlace {
  const [tag, behindTag] = varint(bytes, at);
  const field = Math.floor(tag / 8);
  if (field === 0) throw new RangeError(`Cannot read a message: byte ${at} has field 0, expected 1 or more`);
  const fixed = (size: number): ProtoPlace => ({ field, number: 0, start: behindTag, end: behindTag + size });
  switch (tag % 8) {
    case 0: {
      const [number, end] = varint(bytes, behindTag);
      return { field, number, start: end, end };
    }
    case 1:
      return fixed(8);
    case 2: {
      const [length, start] = varint(bytes, behindTag);
      return { field, number: 0, start, end: start + length };
    }
    case 5:
      return fixed(4);
    default:
      throw new RangeError(`Cannot read a message: byte ${at} has wire type ${tag % 8}, expected 0, 1, 2 or 5`);
  }
}

/** Text of a field. */
export function protoText({ bytes }: ProtoField): string {
  return decoder.decode(bytes);
}

/** The number, which is not exact beyond 2^53, and where it ends. */
function varint(bytes: Uint8Array, start: number): [number, number] {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) throw cutOff(start);
    value += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) return [value, start + i + 1];
  }
  throw new RangeError(`Cannot read a message: the number at byte ${start} has no end`);
}

function cutOff(at: number): RangeError {
  return new RangeError(`Cannot read a message: it ends within the field at byte ${at}`);
}

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
