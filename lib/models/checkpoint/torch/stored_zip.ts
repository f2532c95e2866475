/**
 * ZIP archives whose files are not compressed, as torch writes them: every file is a range of the archive. Archives beyond
 * 4 GiB have 64-bit fields (APPNOTE 6.3.10, sections 4.3 to 4.5).
 *
 * @module
 */
import type { ByteSource } from "../../../compute/tensor/mod.ts";
import { readExactly, refuseCheckpoint } from "./pickle_values.ts";

/** A range of a file. */
export interface FileRange {
  readonly offset: number;
  readonly length: number;
}

const END = 0x06054b50;
const END_64_LOCATOR = 0x07064b50;
const END_64 = 0x06064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 0xffff;
const MAX_DIRECTORY = 64 * 2 ** 20;
/** More than the storages of any model: each file has a header of its own to read. */
const MAX_FILES = 2 ** 17;
const IN_EXTRA = 0xffffffff;
const EXTRA_64 = 1;

/** Whether a file begins as a ZIP archive does. */
export function isZip(head: Uint8Array): boolean {
  return head.length >= 4 && viewOf(head).getUint32(0, true) === LOCAL;
}

/**
 * The files of an archive by their names.
 *
 * @throws {SvcError} `checkpoint_refused` for a damaged directory, a packed or encrypted file, a name twice, or files that
 * share bytes.
 */
export async function readStoredZip(name: string, source: ByteSource): Promise<Map<string, FileRange>> {
  const { count, offset, length } = await findDirectory(name, source);
  if (length > MAX_DIRECTORY || count > MAX_FILES || count * ENTRY_BYTES > length || offset + length > source.size) {
    throw refuseCheckpoint(name, `its directory lists ${count} files in ${length} bytes, expected one that can be`);
  }
  const directory = await readExactly(name, source, offset, length);
  const view = viewOf(directory);
  const ranges = new Map<string, FileRange>();
  for (let i = 0, at = 0; i < count; i++) {
    if (at + ENTRY_BYTES > length || view.getUint32(at, true) !== ENTRY) throw cutOff(name);
    const texts = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const next = at + ENTRY_BYTES + texts[0] + texts[1] + texts[2];
    if (next > length) throw cutOff(name);
    const file = new TextDecoder().decode(directory.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + texts[0]));
    if (ranges.has(file)) throw refuseCheckpoint(name, `it has two files ${quote(file)}`);
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    if (method !== 0 || (flags & 1) !== 0) {
      throw refuseCheckpoint(
        name,
        `its file ${quote(file)} is ${method === 0 ? "encrypted" : "compressed"}, expected plain files`,
      );
    }
    const extra = directory.subarray(at + ENTRY_BYTES + texts[0], at + ENTRY_BYTES + texts[0] + texts[1]);
    const [size, packed, place] = wideNumbers(name, extra, [24, 20, 42].map((one) => view.getUint32(at + one, true)));
    if (size !== packed) throw refuseCheckpoint(name, `its file ${quote(file)} has two sizes, ${size} and ${packed}`);
    ranges.set(file, await locate(name, source, file, place, size));
    at = next;
  }
  checkApart(name, ranges);
  return ranges;
}

async function findDirectory(name: string, source: ByteSource) {
  const size = Math.min(source.size, END_BYTES + MAX_COMMENT);
  const tail = await readExactly(name, source, source.size - size, size);
  const view = viewOf(tail);
  let end = size - END_BYTES;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) throw refuseCheckpoint(name, "the archive has no directory, expected a whole file");
  const short = {
    count: view.getUint16(end + 10, true),
    length: view.getUint32(end + 12, true),
    offset: view.getUint32(end + 16, true),
  };
  if (short.count !== 0xffff && short.length !== IN_EXTRA && short.offset !== IN_EXTRA) return short;
  const locator = source.size - size + end - LOCATOR_BYTES;
  if (locator < 0) throw cutOff(name);
  const place = viewOf(await readExactly(name, source, locator, LOCATOR_BYTES));
  if (place.getUint32(0, true) !== END_64_LOCATOR) return short;
  const wide = viewOf(await readExactly(name, source, wideNumber(name, place, 8), 56));
  if (wide.getUint32(0, true) !== END_64) throw cutOff(name);
  const [count, length, offset] = [32, 40, 48].map((at) => wideNumber(name, wide, at));
  return { count, length, offset };
}

/** Replaces the numbers that did not fit by those of the extra field, in their order there. */
function wideNumbers(name: string, extra: Uint8Array, numbers: readonly number[]): number[] {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length;) {
    const [id, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (at + 4 + length > extra.length) break;
    if (id === EXTRA_64) {
      let next = at + 4;
      return numbers.map((number) => {
        if (number !== IN_EXTRA) return number;
        if (next + 8 > at + 4 + length) throw cutOff(name);
        next += 8;
        return wideNumber(name, view, next - 8);
      });
    }
    at += 4 + length;
  }
  return [...numbers];
}

/** Where the bytes of a file are: after a header of its own, which is as long as it says. */
async function locate(
  name: string,
  source: ByteSource,
  file: string,
  at: number,
  length: number,
): Promise<FileRange> {
  const header = viewOf(await readExactly(name, source, at, LOCAL_BYTES));
  if (header.getUint32(0, true) !== LOCAL) throw refuseCheckpoint(name, `its file ${quote(file)} has no header`);
  const offset = at + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (offset + length > source.size) throw refuseCheckpoint(name, `its file ${quote(file)} goes beyond its end`);
  return { offset, length };
}

function checkApart(name: string, ranges: ReadonlyMap<string, FileRange>): void {
  const sorted = [...ranges].filter(([, { length }]) => length > 0).sort(([, a], [, b]) => a.offset - b.offset);
  for (let i = 1; i < sorted.length; i++) {
    const [before, { offset, length }] = sorted[i - 1];
    const [after, next] = sorted[i];
    if (offset + length <= next.offset) continue;
    throw refuseCheckpoint(name, `its files ${quote(before)} and ${quote(after)} share bytes, expected their own each`);
  }
}

function wideNumber(name: string, view: DataView, at: number): number {
  const number = view.getBigUint64(at, true);
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw cutOff(name);
  return Number(number);
}

function cutOff(name: string): Error {
  return refuseCheckpoint(name, "the directory of the archive is damaged, expected a whole file");
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
