/**
 * States of sequences, as one build of llama.cpp writes them and another one reads them.
 * A file is its mark, a version and tokens, then the caches: of keys and values, of those in a sliding window where the
 * model has such layers, and of states that every token replaces. Numbers have 32 bits and are little-endian.
 *
 * @module
 */

/** `ggsq` */
const MARK = 0x67677371;
const WRITTEN = 2;
const READ = 3;

/** Sizes of a cell without and with a place in an image, which models with three positions have. */
const PLAIN_CELL = 12;
const PLACED_CELL = 20;

/** As many layers, and types of numbers, as llama.cpp may have at most. */
const MAX_LAYERS = 512;
const MAX_TYPES = 128;

/** No token: what a cell of an image holds. */
const NO_TOKEN = -1;

/** A state whose cells can be read. */
interface SequenceState {
  /** Of its tokens; those of images are one for each position. */
  readonly positions: number;
  /** Places that it takes in a cache: more than positions where images have rows and columns. */
  readonly cells: number;
  /**
   * The file for the other build, in parts.
   *
   * @param sequences Number of sequences of the context that reads it.
   * @param ids Of the positions, and of more that follow.
   */
  parts(sequences: number, ids: readonly number[]): Uint8Array[];
}

/** Offsets of a cache in the file. */
interface Cache {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly cell: number;
}

/**
 * Reads the state of one sequence.
 *
 * @throws {Error} when another version of the library has written it.
 */
export function readSequenceState(bytes: Uint8Array): SequenceState {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const positions = bytes.length >= 12 ? view.getUint32(8, true) : 0;
  const first = 12 + 4 * positions;
  if (bytes.length < 12 || view.getUint32(0, true) !== MARK || view.getUint32(4, true) !== WRITTEN) {
    throw new Error(`its state is not of version ${WRITTEN}`);
  }
  const caches: Cache[] = [];
  for (let at = first; at < bytes.length;) {
    const cache = readCache(view, at, PLAIN_CELL) ?? readCache(view, at, PLACED_CELL);
    // The states of layers without keys and values come last, and are the same for both.
    if (cache === undefined) break;
    caches.push(cache);
    at = cache.end;
  }
  if (caches.length === 0) throw new Error("its state has no keys and values");
  return {
    positions,
    cells: Math.max(...caches.map(({ count }) => count)),
    parts: (sequences, ids) => {
      const head = bytes.slice(0, first);
      const to = new DataView(head.buffer);
      to.setUint32(4, READ, true);
      for (let i = 0; i < positions; i++) to.setInt32(12 + 4 * i, ids[i], true);
      const last = caches.at(-1)!.end;
      return [head, ...caches.flatMap((cache) => rewritten(bytes, view, cache, sequences)), bytes.subarray(last)];
    },
  };
}

/** The cache that begins somewhere; undefined when there is none with cells of this size. */
function readCache(view: DataView, start: number, cell: number): Cache | undefined {
  const { byteLength } = view;
  const number = (at: number): number => at + 4 <= byteLength ? view.getUint32(at, true) : NaN;
  const count = number(start + 4);
  if (number(start) !== 1 || !(count > 0)) return undefined;
  let at = start + 8;
  for (let i = 0; i < count; i++, at += cell) {
    // A position, and that it is the first sequence's alone.
    if (number(at + 4) !== 1 || number(at + cell - 4) !== 0) return undefined;
  }
  const [transposed, layers] = [number(at), number(at + 4)];
  if (!(transposed <= 1 && layers > 0 && layers <= MAX_LAYERS)) return undefined;
  at += 8;
  const rows = (): boolean => {
    for (let layer = 0; layer < layers; layer++) {
      if (!(number(at) < MAX_TYPES && number(at + 8) === 0)) return false;
      at += 12 + count * number(at + 4);
    }
    return at <= byteLength;
  };
  const columns = (): boolean => {
    for (let layer = 0; layer < layers; layer++) {
      if (!(number(at) < MAX_TYPES)) return false;
      at += 12 + count * number(at + 4) * number(at + 8);
    }
    return at <= byteLength;
  };
  return rows() && (transposed === 1 ? columns() : rows()) ? { start, end: at, count, cell } : undefined;
}

/** A cache of several sequences of which one has something; cells store their token besides their position. */
function rewritten(bytes: Uint8Array, view: DataView, cache: Cache, sequences: number): Uint8Array[] {
  const { start, end, count, cell } = cache;
  const wide = cell === PLACED_CELL ? cell + 4 : cell;
  const head = new Uint8Array(8 + count * wide);
  const to = new DataView(head.buffer);
  to.setUint32(0, sequences, true);
  to.setUint32(4, count, true);
  for (let i = 0, from = start + 8, at = 8; i < count; i++, from += cell, at += wide) {
    head.set(bytes.subarray(from, from + cell), at);
    if (wide === cell) continue;
    to.setInt32(at + cell - 4, NO_TOKEN, true);
    to.setUint32(at + cell, view.getUint32(from + cell - 4, true), true);
  }
  return [head, bytes.subarray(start + 8 + count * cell, end), new Uint8Array(4 * (sequences - 1))];
}
