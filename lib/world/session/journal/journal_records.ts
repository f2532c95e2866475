/**
 * Records of a journal as bytes.
 *
 * @module
 */
import { crc32 } from "../../../media/images/bytes.ts";

/** What a journal of this version begins with. */
const MAGIC: Uint8Array = new TextEncoder().encode("svc world 1\n");

/** In front of a record: its length, its checksum, and the checksum of these two. */
const HEADER = 12;

/** Bytes of the longest record. */
export const MAX_RECORD: number = 64 * 2 ** 20;

/** Writes records one after another; each one's checksum covers all before it. */
export class RecordWriter {
  #sum: number;

  /** @param sum Checksum at the end of an existing journal; 0 for a new one. */
  constructor(sum = 0) {
    this.#sum = sum;
  }

  /** What a new journal begins with. */
  start(): Uint8Array<ArrayBuffer> {
    this.#sum = 0;
    return new Uint8Array(MAGIC);
  }

  /** A record as bytes. */
  record(payload: Uint8Array): Uint8Array<ArrayBuffer> {
    if (payload.length > MAX_RECORD) throw new RangeError(`Cannot write a record of ${payload.length} bytes`);
    this.#sum = crc32(payload, this.#sum);
    const bytes = new Uint8Array(HEADER + payload.length);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, payload.length);
    view.setUint32(4, this.#sum);
    view.setUint32(8, crc32(bytes.subarray(0, 8)));
    bytes.set(payload, HEADER);
    return bytes;
  }
}

/** What was found in a journal. */
export interface ReadRecords {
  /** The payloads of all records that are whole. */
  readonly payloads: readonly Uint8Array[];
  /** Bytes up to the end of the last one. */
  readonly end: number;
  /** The checksum there, for {@linkcode RecordWriter}. */
  readonly sum: number;
  /**
   * `whole`, `cut` when the last record was not written to its end, as a process that is killed leaves it, `damaged`
   * when anything else is wrong: then what follows is unknown.
   */
  readonly state: "whole" | "cut" | "damaged";
}

/** Reads as many records as are whole. */
export function readRecords(bytes: Uint8Array): ReadRecords {
  const payloads: Uint8Array[] = [];
  let at = MAGIC.length;
  let sum = 0;
  const ended = (state: ReadRecords["state"]): ReadRecords => ({ payloads, end: at, sum, state });
  const start = bytes.subarray(0, at);
  if (start.some((byte, i) => byte !== MAGIC[i])) return { payloads, end: 0, sum, state: "damaged" };
  if (start.length < at) return { payloads, end: 0, sum, state: "cut" };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  while (at < bytes.length) {
    const rest = bytes.subarray(at);
    // After a loss of power a file may end with zeros that were never written.
    if (rest.length < HEADER || rest.every((byte) => byte === 0)) return ended("cut");
    const length = view.getUint32(at);
    if (crc32(rest.subarray(0, 8)) !== view.getUint32(at + 8) || length > MAX_RECORD) return ended("damaged");
    if (rest.length < HEADER + length) return ended("cut");
    const payload = rest.subarray(HEADER, HEADER + length);
    const next = crc32(payload, sum);
    if (next !== view.getUint32(at + 4)) return ended("damaged");
    payloads.push(payload);
    sum = next;
    at += HEADER + length;
  }
  return ended("whole");
}
