/**
 * The tokens of a model: their bytes, and sets of them.
 *
 * @module
 */
import { isObject } from "../../json/json_text.ts";

/** The tokens of a `tokenizer.json`. */
export interface TokenTable {
  /** One more than the largest id. */
  readonly size: number;
  /** The bytes of a token, which may begin or end within a character; undefined for an unused id. */
  bytesOf(id: number): Uint8Array;
  /** Whether a token is a control token rather than text. */
  isSpecial(id: number): boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the tokens of a `tokenizer.json`: byte-level ones, whose letters stand for bytes, and those of SentencePiece,
 * which write spaces as `▁` and bytes as `<0x0A>`.
 *
 * @param json The parsed file; malformed parts count as missing.
 * The space that some SentencePiece tokenizers add before a text and remove again is not known: tokens are decoded as
 * within a text.
 */
export function readTokenTable(json: unknown): TokenTable {
  const file = fields(json);
  const pieces: string[] = [];
  const vocabulary = fields(file.model).vocab;
  const entries = Array.isArray(vocabulary)
    ? vocabulary.map((entry, id) => [Array.isArray(entry) ? entry[0] : undefined, id])
    : Object.entries(fields(vocabulary));
  for (const [piece, id] of entries) if (typeof piece === "string" && isId(id)) pieces[id] = piece;
  const added = new Map<number, Fields>();
  for (const token of list(file.added_tokens).map(fields)) {
    if (isId(token.id) && typeof token.content === "string") added.set(token.id, token);
  }
  const bytes = pieceBytes(file);
  const utf8 = new TextEncoder();
  return {
    size: [...added.keys()].reduce((size, id) => Math.max(size, id + 1), pieces.length),
    bytesOf: (id) => {
      const token = added.get(id);
      return token === undefined ? bytes(pieces[id] ?? "") : utf8.encode(token.content as string);
    },
    isSpecial: (id) => added.get(id)?.special === true,
  };
}

/** As {@linkcode readTokenTable}, read when it is first used: few answers need the bytes of tokens. */
export function lateTokenTable(json: () => unknown): TokenTable {
  let read: TokenTable | undefined;
  const table = (): TokenTable => read ??= readTokenTable(json());
  return {
    get size() {
      return table().size;
    },
    bytesOf: (id) => table().bytesOf(id),
    isSpecial: (id) => table().isSpecial(id),
  };
}

function pieceBytes(file: Fields): (piece: string) => Uint8Array {
  const decoders = flatten(file.decoder);
  const steps = decoders.length > 0 ? decoders : flatten(file.pre_tokenizer);
  const utf8 = new TextEncoder();
  if (steps.some(({ type }) => type === "ByteLevel")) {
    // A token outside the alphabet of bytes stands for itself.
    return (piece) => {
      const codes = Array.from(piece, (letter) => byteOfLetter.get(letter));
      return codes.includes(undefined) ? utf8.encode(piece) : Uint8Array.from(codes as number[]);
    };
  }
  const replaced = steps.flatMap((step) => typeof step.replacement === "string" ? [step.replacement] : []);
  const space = replaced[0] ?? "▁";
  return (piece) => {
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(piece);
    return byte ? Uint8Array.of(parseInt(byte[1], 16)) : utf8.encode(piece.replaceAll(space, " "));
  };
}

/** The steps of a decoder or pre-tokenizer, including those within sequences. */
function flatten(step: unknown): Fields[] {
  const given = fields(step);
  const inner = [...list(given.decoders), ...list(given.pretokenizers)];
  return inner.length > 0 ? inner.flatMap(flatten) : given.type === undefined ? [] : [given];
}

/**
 * Letters that stand for bytes, as introduced by GPT-2: printable ones for themselves, the others, in order, for
 * letters from U+0100.
 */
const byteOfLetter: ReadonlyMap<string, number> = (() => {
  const letters = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const printable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    letters.set(String.fromCodePoint(printable ? byte : next++), byte);
  }
  return letters;
})();

function isId(value: unknown): value is number {
  // Larger ids only serve a hostile file to fill the memory.
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 24;
}

function fields(value: unknown): Fields {
  return isObject(value) ? value as Fields : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a token is in a set of tokens, one bit each, the lowest bit of the first word first. */
export function isAllowed(mask: Int32Array, id: number): boolean {
  return ((mask[id >> 5] >>> (id & 31)) & 1) === 1;
}

/** The tokens of the set below `size`, or undefined when there are more than `max`. */
export function fewAllowed(mask: Int32Array, size: number, max: number): number[] | undefined {
  const ids: number[] = [];
  for (let word = 0; word < mask.length && word * 32 < size; word++) {
    for (let bits = mask[word]; bits !== 0; bits &= bits - 1) {
      const id = word * 32 + 31 - Math.clz32(bits & -bits);
      if (id < size && ids.push(id) > max) return undefined;
    }
  }
  return ids;
}
