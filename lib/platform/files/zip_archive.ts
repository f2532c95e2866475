/**
 * ZIP archives, such as Python wheels and checkpoints of torch: which files they have and where. yauzl reads the
 * directory, with 64-bit fields too, and finds the files; what an archive says is bounded and checked here.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";
import type * as Yauzl from "yauzl";

/** The bytes of an archive, wherever they are. */
export interface ArchiveBytes {
  readonly size: number;
  /** Reads exactly so many bytes. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** What an archive may have. */
export interface ZipBounds {
  readonly files: number;
  /** Bytes of the directory that lists them. */
  readonly directory: number;
}

/** A file of an archive, as its directory lists it. */
export interface ZipEntry {
  readonly name: string;
  /** 0 for stored, 8 for deflated. */
  readonly method: number;
  /** Bytes in the archive. */
  readonly packed: number;
  /** Bytes of the file. */
  readonly size: number;
  readonly crc32: number;
  /** Whether it is a symbolic link, whose target are its bytes. */
  readonly isLink: boolean;
  readonly isEncrypted: boolean;
}

/** A range of an archive. */
export interface FileRange {
  readonly offset: number;
  readonly length: number;
}

const LOCAL_SIGNATURE = 0x04034b50;
const ENTRY_BYTES = 46;

/** `S_IFMT` and `S_IFLNK` in the upper half of the attributes that Unix writes. */
const UNIX = 3;
const [FILE_TYPE, LINK] = [0o170000, 0o120000] as const;

/** Bytes that are read at a time. */
const PART = 256 * 1024;

/** Whether a file begins as a ZIP archive does. */
export function isZip(head: Uint8Array): boolean {
  return head.length >= 4 && new DataView(head.buffer, head.byteOffset).getUint32(0, true) === LOCAL_SIGNATURE;
}

/** An archive that is open for reading. */
export class ZipArchive {
  /** Its files by their names. */
  readonly entries: ReadonlyMap<string, ZipEntry>;
  readonly #bytes: ArchiveBytes;
  readonly #zip: Yauzl.ZipFile;
  readonly #listed: ReadonlyMap<string, Yauzl.Entry>;

  private constructor(bytes: ArchiveBytes, zip: Yauzl.ZipFile, listed: ReadonlyMap<string, Yauzl.Entry>) {
    this.#bytes = bytes;
    this.#zip = zip;
    this.#listed = listed;
    this.entries = new Map([...listed].map(([name, entry]) => [name, entryOf(name, entry)]));
  }

  /**
   * Reads the directory of an archive.
   *
   * @throws {RangeError} if it is not a ZIP archive, is damaged, lists too many files or two of the same name.
   */
  static async open(bytes: ArchiveBytes, most: ZipBounds): Promise<ZipArchive> {
    const yauzl = await import("yauzl");
    // Names stay bytes, and sizes are those listed: whoever takes a file decides what they may be.
    const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false };
    const zip = await yauzl.fromRandomAccessReaderPromise(readerOf(yauzl, bytes), bytes.size, options)
      .catch(asDamaged("it has no directory"));
    return new ZipArchive(bytes, zip, await listOf(zip, bytes.size, most));
  }

  /**
   * Where the bytes of a file are, packed as they are.
   *
   * @throws {RangeError} when it has no header there, or goes beyond the end of the archive.
   */
  async locate({ name, packed }: ZipEntry): Promise<FileRange> {
    const listed = this.#listed.get(name)!;
    if (listed.relativeOffsetOfLocalHeader + packed > this.#bytes.size) throw damaged(`${name} goes beyond its end`);
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(listed, { minimal: true })
      .catch(asDamaged(`${name} is not where its directory says`));
    return { offset: fileDataStart, length: packed };
  }

  /**
   * Unpacks a file.
   *
   * @param onPart Called with its bytes, in their order.
   * @returns their SHA-256
   * @throws {RangeError} when it is not of the size that the directory says, or packed in an unknown way.
   * @throws the reason of `signal`, and what `onPart` throws.
   */
  async extract(
    entry: ZipEntry,
    onPart: (bytes: Uint8Array) => void | Promise<void>,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { name, method, size } = entry;
    if (entry.isEncrypted) throw damaged(`${name} is encrypted`);
    if (method !== 0 && method !== 8) throw damaged(`${name} is packed by method ${method}, expected 0 or 8`);
    const raw = Readable.from(readParts(this.#bytes, await this.locate(entry), signal));
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
      const isPacking = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
      throw isPacking ? damaged(`${name} cannot be unpacked: ${error.message}`) : error;
    } finally {
      raw.destroy();
      stream.destroy();
    }
    if (bytes !== size) throw damaged(`${name} unpacks to ${bytes} bytes, expected ${size}`);
    return new Uint8Array(sha256.digest());
  }
}

async function listOf(zip: Yauzl.ZipFile, size: number, most: ZipBounds): Promise<Map<string, Yauzl.Entry>> {
  const { entryCount } = zip;
  const [files, length] = [Math.min(most.files, size / ENTRY_BYTES), Math.min(most.directory, size)];
  if (!(entryCount <= files)) throw damaged(`its directory lists ${entryCount} files, expected at most ${most.files}`);
  const list = new Map<string, Yauzl.Entry>();
  let read = 0;
  try {
    for await (const listed of zip.eachEntry()) {
      const name = new TextDecoder().decode(listed.fileNameRaw);
      read += ENTRY_BYTES + listed.fileNameLength + listed.extraFieldLength + listed.fileCommentLength;
      if (read > length) throw damaged(`its directory has more than ${length} bytes`);
      if (list.has(name)) throw damaged(`it has two files ${name}`);
      list.set(name, listed);
    }
  } catch (error) {
    asDamaged("its directory is damaged")(error);
  }
  return list;
}

function entryOf(name: string, listed: Yauzl.Entry): ZipEntry {
  return {
    name,
    method: listed.compressionMethod,
    packed: listed.compressedSize,
    size: listed.uncompressedSize,
    crc32: listed.crc32,
    isLink: listed.versionMadeBy >> 8 === UNIX && (listed.externalFileAttributes >>> 16 & FILE_TYPE) === LINK,
    isEncrypted: listed.isEncrypted(),
  };
}

/** What yauzl reads an archive through. */
function readerOf({ RandomAccessReader }: typeof Yauzl, bytes: ArchiveBytes): Yauzl.RandomAccessReader {
  class Reader extends RandomAccessReader {
    override read(buffer: Buffer, at: number, length: number, from: number, done: (error: Error | null) => void): void {
      readAt(bytes, from, length).then((part) => void buffer.set(part, at)).then(() => done(null), done);
    }
  }
  return new Reader();
}

async function* readParts(bytes: ArchiveBytes, { offset, length }: FileRange, signal: AbortSignal) {
  for (let at = 0; at < length; at += PART) {
    signal.throwIfAborted();
    yield await readAt(bytes, offset + at, Math.min(PART, length - at));
  }
}

async function readAt(bytes: ArchiveBytes, at: number, length: number): Promise<Uint8Array> {
  const read = at + length <= bytes.size ? await bytes.read(at, length) : undefined;
  if (read?.length !== length) throw damaged("it is cut off");
  return read;
}

/** Throws what yauzl finds wrong with an archive, and errors of this module as they are. */
function asDamaged(what: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof RangeError) throw error;
    const why = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    // What every other file is, and in yauzl's words takes two sentences.
    throw damaged(/^End of central directory record signature not found/.test(why) ? what : `${what}: ${why}`);
  };
}

function damaged(what: string): RangeError {
  return new RangeError(`${what}, expected a whole ZIP archive`);
}
