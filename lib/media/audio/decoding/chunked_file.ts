/**
 * Files that are a list of chunks: RIFF and its relatives.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import type { AudioSource } from "../audio_source.ts";

/** A part of a file. */
export interface Chunk {
  /** Four letters. */
  readonly id: string;
  /** Where its contents begin. */
  readonly start: number;
  /** Bytes by its header, which may reach beyond the file. */
  readonly size: number;
}

/** No real file has as many. */
const MAX_CHUNKS = 4096;

/** Where chunks are and how their sizes are written. */
interface ChunkRules {
  /** Where the first one begins. */
  readonly from: number;
  readonly littleEndian: boolean;
  /** What the file is, for error sentences. */
  readonly format: string;
}

/**
 * Lists the chunks of a file in their order. A chunk of odd size is followed by a byte that fills it up, which some
 * writers forget.
 *
 * @throws {SvcError} `audio_damaged` when there are too many of them.
 */
export async function* readChunks(source: AudioSource, rules: ChunkRules): AsyncGenerator<Chunk> {
  let at = rules.from;
  for (let count = 0;; count++) {
    const head = await source.read(at, 8);
    if (head.length < 8) return;
    if (count === MAX_CHUNKS) {
      throw new SvcError(
        "audio_damaged",
        `Cannot read the ${rules.format} file: it has more than ${MAX_CHUNKS} chunks, expected a header and samples`,
      );
    }
    const size = new DataView(head.buffer, head.byteOffset).getUint32(4, rules.littleEndian);
    yield { id: letters(head.subarray(0, 4)), start: at + 8, size };
    at += 8 + size;
    if (size % 2 === 1 && !await isChunkAt(source, at)) at++;
  }
}

/** Text of one byte a letter. */
export function letters(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

async function isChunkAt(source: AudioSource, at: number): Promise<boolean> {
  const id = await source.read(at, 5);
  // A byte that fills up is 0; the size after four letters almost never begins with one.
  return id.length === 5 && id.subarray(0, 4).every((letter) => letter >= 0x20 && letter < 0x7f);
}
