/**
 * Reads protocol buffer messages, as far as ONNX needs them.
 *
 * @module
 */

const decoder = new TextDecoder();

/** A field of a message. Its value is the number of a varint, or the bytes of anything else. */
export interface ProtoField {
  readonly field: number;
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Tag, length and value as they stand in the message. */
  readonly whole: Uint8Array;
}

/** Where a field stands. */
export interface ProtoPlace {
  readonly field: number;
  /** Of a varint; 0 of anything else. */
  readonly number: number;
  /** Where its bytes begin and end; those of a varint are none. */
  readonly start: number;
  readonly end: number;
}

/** Tag, length and value of a field that is no varint have at most this many bytes before its bytes. */
export const MAX_FIELD_HEAD = 20;

/**
 * The fields of a message in their order; see "Encoding" in the protocol buffers documentation for the wire format.
 *
 * @throws {RangeError} when the bytes are no message.
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
 * Where the field is whose tag is at `at`; its bytes may go beyond those that are there.
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
