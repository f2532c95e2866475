/**
 * Colour tags inside the H.264 stream itself. Players differ in whether they believe the container or the stream; most
 * encoders leave the stream untagged, and then small images are shown as BT.601, with wrong reds.
 *
 * @module
 */

/** Profiles whose parameter sets carry chroma format, bit depths and scaling lists (clause 7.3.2.1.1). */
const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/**
 * The same `avcC` record (ISO/IEC 14496-15, clause 5.3.3.1) whose sequence parameter sets say BT.709, limited range.
 *
 * @throws {RangeError} when the record ends too early.
 */
export function tagBt709(record: Uint8Array): Uint8Array<ArrayBuffer> {
  const out: number[] = [...record.subarray(0, 6)];
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  let at = 6;
  for (let i = 0; i < (record[5] & 31); i++) {
    const length = view.getUint16(at);
    const tagged = addGuards(tagParameterSet(removeGuards(record.subarray(at + 2, at + 2 + length))));
    out.push(tagged.length >> 8, tagged.length & 255, ...tagged);
    at += 2 + length;
  }
  return new Uint8Array([...out, ...record.subarray(at)]);
}

/** Copies a sequence parameter set except for its video_signal_type (clauses 7.3.2.1.1 and E.1.1). */
function tagParameterSet(set: Uint8Array): Uint8Array {
  const last = set[set.length - 1];
  const end = set.length * 8 - 32 + Math.clz32(last & -last); // the last 1 is the stop bit
  const reader = new BitReader(set);
  skipToVui(reader);
  const vuiFlag = reader.position;
  const hasVui = reader.bit() === 1;
  const before = hasVui ? skipAspectAndOverscan(reader) : vuiFlag;
  if (hasVui) skipVideoSignal(reader);

  const source = new BitReader(set);
  const writer = new BitWriter();
  writer.copy(source, before);
  if (!hasVui) writer.bits(0b100, 3); // a VUI, without aspect ratio and overscan
  writer.bits(0b1_101_0_1, 6); // video signal type: format unspecified, limited range, colour described
  for (let i = 0; i < 3; i++) writer.bits(1, 8); // primaries, transfer and matrix of BT.709
  if (hasVui) writer.copy(reader, end);
  else writer.bits(0, 6); // no chroma location, timing, HRD (two), picture structure and restriction
  writer.bit(1); // stop bit
  return writer.bytes();
}

/** Reads up to vui_parameters_present_flag. */
function skipToVui(reader: BitReader): void {
  reader.bits(8); // NAL unit header
  const profile = reader.bits(8);
  reader.bits(16); // constraints, level
  reader.unsigned(); // id
  if (HIGH_PROFILES.has(profile)) skipChromaAndScaling(reader);
  reader.unsigned(); // log2_max_frame_num
  const pictureOrder = reader.unsigned();
  if (pictureOrder === 0) reader.unsigned();
  if (pictureOrder === 1) {
    reader.bit();
    reader.signed();
    reader.signed();
    for (let n = reader.unsigned(); n > 0; n--) reader.signed();
  }
  reader.unsigned(); // reference frames
  reader.bit(); // gaps allowed
  reader.unsigned(); // width
  reader.unsigned(); // height
  if (!reader.bit()) reader.bit(); // frames only, else field adaptive
  reader.bit(); // 8x8 inference
  if (reader.bit()) { for (let side = 0; side < 4; side++) reader.unsigned(); } // cropping
}

function skipChromaAndScaling(reader: BitReader): void {
  const chroma = reader.unsigned();
  if (chroma === 3) reader.bit();
  reader.unsigned(); // luma depth
  reader.unsigned(); // chroma depth
  reader.bit(); // lossless
  if (!reader.bit()) return;
  for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) {
    if (!reader.bit()) continue;
    let next = 8;
    for (let i = 0; i < (list < 6 ? 16 : 64) && next !== 0; i++) next = (next + reader.signed() + 256) % 256;
  }
}

/** Returns the position of the flag after them. */
function skipAspectAndOverscan(reader: BitReader): number {
  if (reader.bit() && reader.bits(8) === 255) reader.bits(32); // 255: the ratio itself follows
  if (reader.bit()) reader.bit();
  return reader.position;
}

function skipVideoSignal(reader: BitReader): void {
  if (!reader.bit()) return;
  reader.bits(4);
  if (reader.bit()) reader.bits(24);
}

/** Removes the bytes that keep start codes out of the data (clause 7.4.1). */
function removeGuards(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, i) => !(byte === 3 && i >= 2 && bytes[i - 1] === 0 && bytes[i - 2] === 0));
}

/** Inserts them. */
function addGuards(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (const byte of bytes) {
    if (byte <= 3 && out.at(-1) === 0 && out.at(-2) === 0) out.push(3);
    out.push(byte);
  }
  return new Uint8Array(out);
}

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
