/**
 * Single files of ZIP archives, such as Python wheels. Everything that an archive says is checked before it is used.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";

/** A file of an archive, as its directory lists it. */
export interface ZipEntry {
  readonly name: string;
  /** 0 for stored, 8 for deflated. */
  readonly method: number;
  /** Bytes in the archive. */
  readonly packed: number;
  /** Bytes of the file. */
  readonly size: number;
  /** Position of its local header. */
  readonly at: number;
  /** Whether it is a symbolic link, whose target are its bytes. */
  readonly isLink: boolean;
  readonly isEncrypted: boolean;
}

/** What came out of a file. */
export interface ExtractedFile {
  readonly bytes: number;
  readonly sha256: Uint8Array;
}

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const MAX_DIRECTORY = 8 * 2 ** 20;
const MAX_ENTRIES = 10_000;

/** In place of a number that has no room; the number itself is in a field that is not read here. */
const ZIP64 = 0xffffffff;

/** `S_IFLNK` in the upper half of the attributes that Unix writes. */
const UNIX = 3;
const LINK = 0o120000;

/** An archive that is open for reading. */
export class ZipArchive {
  /** Its files by their names. */
  readonly entries: ReadonlyMap<string, ZipEntry>;
  readonly #file: FileHandle;
  readonly #size: number;

  private constructor(file: FileHandle, size: number, entries: ReadonlyMap<string, ZipEntry>) {
    this.#file = file;
    this.#size = size;
    this.entries = entries;
  }

  /**
   * Opens an archive and reads its directory.
   *
   * @throws {RangeError} if it is not a ZIP archive, is damaged or has two files of the same name.
   */
  static async open(path: string): Promise<ZipArchive> {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      return new ZipArchive(file, size, await readDirectory(file, size));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Unpacks a file.
   *
   * @param onPart Called with its bytes, in their order.
   * @throws {RangeError} when it is not of the size that the directory says, or packed in an unknown way.
   * @throws the reason of `signal`.
   */
  async extract(
    { name, method, packed, size, at, isEncrypted }: ZipEntry,
    onPart: (bytes: Uint8Array) => void | Promise<void>,
    signal: AbortSignal,
  ): Promise<ExtractedFile> {
    if (isEncrypted) throw damaged(`${name} is encrypted`);
    if ([packed, size, at].includes(ZIP64)) {
      throw damaged(`${name} has 4 GiB or more (ZIP64): unpack it, and use its folder`);
    }
    const header = await readAt(this.#file, at, 30);
    const view = viewOf(header);
    if (view.getUint32(0, true) !== LOCAL_SIGNATURE) throw damaged(`${name} has no local header`);
    const start = at + 30 + view.getUint16(26, true) + view.getUint16(28, true);
    if (start + packed > this.#size) throw damaged(`${name} goes beyond its end`);
    if (method !== 0 && method !== 8) throw damaged(`${name} is packed by method ${method}, expected 0 or 8`);
    const raw = Readable.from(readParts(this.#file, start, packed, signal));
    const stream = method === 0 ? raw : raw.pipe(createInflateRaw());
    raw.on("error", (error) => stream.destroy(error));
    const sha256 = createHash("sha256");
    let bytes = 0;
    try {
      for await (const part of stream as AsyncIterable<Uint8Array>) {
        bytes += part.length;
        if (bytes > size) throw damaged(`${name} unpacks to more than the ${size} bytes that it says`);
        sha256.update(part);
        await onPart(part);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RangeError) throw error;
      throw damaged(`${name} cannot be unpacked: ${error instanceof Error ? error.message : error}`);
    } finally {
      raw.destroy();
      stream.destroy();
    }
    if (bytes !== size) throw damaged(`${name} unpacks to ${bytes} bytes, expected ${size}`);
    return { bytes, sha256: new Uint8Array(sha256.digest()) };
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

async function readDirectory(file: FileHandle, size: number): Promise<Map<string, ZipEntry>> {
  const tail = await readAt(file, Math.max(0, size - END_BYTES - MAX_COMMENT), Math.min(size, END_BYTES + MAX_COMMENT));
  const view = viewOf(tail);
  let end = tail.length - END_BYTES;
  while (end >= 0 && view.getUint32(end, true) !== END_SIGNATURE) end--;
  if (end < 0) throw damaged("it has no directory");
  const count = view.getUint16(end + 10, true);
  const length = view.getUint32(end + 12, true);
  const start = view.getUint32(end + 16, true);
  if (start === ZIP64 || length === ZIP64) throw damaged("it has 4 GiB or more (ZIP64): unpack it, and use its folder");
  if (count > MAX_ENTRIES || length > MAX_DIRECTORY || start + length > size) {
    throw damaged(`its directory has ${count} files in ${length} bytes, expected at most ${MAX_ENTRIES}`);
  }
  const entries = new Map<string, ZipEntry>();
  const directory = await readAt(file, start, length);
  const fields = viewOf(directory);
  for (let at = 0, i = 0; i < count; i++) {
    if (at + 46 > length || fields.getUint32(at, true) !== ENTRY_SIGNATURE) throw damaged("its directory is cut off");
    const nameLength = fields.getUint16(at + 28, true);
    const next = at + 46 + nameLength + fields.getUint16(at + 30, true) + fields.getUint16(at + 32, true);
    if (next > length) throw damaged("its directory is cut off");
    const name = new TextDecoder().decode(directory.subarray(at + 46, at + 46 + nameLength));
    if (entries.has(name)) throw damaged(`it has two files ${name}`);
    entries.set(name, {
      name,
      method: fields.getUint16(at + 10, true),
      packed: fields.getUint32(at + 20, true),
      size: fields.getUint32(at + 24, true),
      at: fields.getUint32(at + 42, true),
      isLink: fields.getUint8(at + 5) === UNIX && (fields.getUint16(at + 40, true) & 0o170000) === LINK,
      isEncrypted: (fields.getUint16(at + 8, true) & 1) === 1,
    });
    at = next;
  }
  return entries;
}

async function* readParts(file: FileHandle, start: number, length: number, signal: AbortSignal) {
  const PART = 256 * 1024;
  for (let at = 0; at < length; at += PART) {
    signal.throwIfAborted();
    yield await readAt(file, start + at, Math.min(PART, length - at));
  }
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  if (bytesRead < length) throw damaged("it is cut off");
  return bytes;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function damaged(what: string): RangeError {
  return new RangeError(`${what}, expected a whole ZIP archive`);
}
