/**
 * Reads the metadata of a GGUF file without native code and within bounds.
 * A file is `GGUF`, a version, the numbers of tensors and of metadata entries, the entries (a name, a type, a value),
 * then tensors; everything is little-endian. See docs/gguf.md of https://github.com/ggml-org/ggml.
 *
 * @module
 */
import type { ModelFiles } from "../contract/engine_entry.ts";
import { LateTexts } from "./late_texts.ts";

/** What to do about a file that cannot be used. */
export const CHOOSE_ANOTHER = "download it again, or choose another file";

/** A metadata value. 64-bit integers become numbers. */
export type GgufValue = number | boolean | string | readonly GgufValue[] | LateTexts;

/** Entries by name, such as `general.architecture`. */
export type GgufMetadata = ReadonlyMap<string, GgufValue>;

/** A string, or undefined when it is missing. */
export function textField(metadata: GgufMetadata, name: string): string | undefined {
  const value = metadata.get(name);
  return typeof value === "string" ? value : undefined;
}

/** A finite number, or undefined when it is missing. */
export function numberField(metadata: GgufMetadata, name: string): number | undefined {
  const value = metadata.get(name);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** An item of a list of strings, or undefined when it is missing. */
export function textOfList(metadata: GgufMetadata, name: string, index: number): string | undefined {
  const value = metadata.get(name);
  const found = value instanceof LateTexts ? value.at(index) : Array.isArray(value) ? value[index] : undefined;
  return typeof found === "string" ? found : undefined;
}

/** The length of a list; 0 when it is missing. */
export function lengthOfList(metadata: GgufMetadata, name: string): number {
  const value = metadata.get(name);
  return value instanceof LateTexts || Array.isArray(value) ? value.length : 0;
}

/** A list of strings, or undefined when it is missing. */
export function textsField(metadata: GgufMetadata, name: string): readonly string[] | undefined {
  const value = metadata.get(name);
  if (value instanceof LateTexts) return value.all();
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

/** A list of numbers, or undefined when it is missing. */
export function numbersField(metadata: GgufMetadata, name: string): readonly number[] | undefined {
  const value = metadata.get(name);
  return Array.isArray(value) && value.every((item) => typeof item === "number") ? value : undefined;
}

/** Large models have some 10 MB of metadata. */
const MAX_BYTES = 64 * 2 ** 20;
const MAX_ENTRIES = 2 ** 16;
const MAX_DEPTH = 4;
/** ggml has four; video models are given the five of their convolutions over time. */
const MAX_AXES = 8;
/** Of all lists together: vocabularies have some 300,000 tokens, each in up to four of them. */
const MAX_ITEMS = 2 ** 22;
const FIRST_PART = 2 ** 20;

/** Unused here, and half of all metadata. */
const UNREAD: ReadonlySet<string> = new Set(["tokenizer.ggml.merges", "tokenizer.ggml.scores"]);

/** Lists of strings that are longer are decoded late. */
const LATE = 1024;

const ARRAY = 9;
const STRING = 8;

/** Type number to bytes and reader. */
const scalars: Readonly<Record<number, readonly [number, (view: DataView, at: number) => GgufValue]>> = {
  0: [1, (view, at) => view.getUint8(at)],
  1: [1, (view, at) => view.getInt8(at)],
  2: [2, (view, at) => view.getUint16(at, true)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [4, (view, at) => view.getUint32(at, true)],
  5: [4, (view, at) => view.getInt32(at, true)],
  6: [4, (view, at) => view.getFloat32(at, true)],
  7: [1, (view, at) => view.getUint8(at) !== 0],
  10: [8, (view, at) => Number(view.getBigUint64(at, true))],
  11: [8, (view, at) => Number(view.getBigInt64(at, true))],
  12: [8, (view, at) => view.getFloat64(at, true)],
};

/**
 * Reads the metadata of a GGUF file.
 *
 * @throws {Error} naming the file when it is not a GGUF file, or broken before its tensors begin.
 */
export async function readGgufMetadata(files: ModelFiles, name: string): Promise<GgufMetadata> {
  return await readHead(files, name, (reader) => reader.metadata());
}

/** A tensor of a GGUF file. */
interface GgufTensor {
  readonly name: string;
  /** Slowest axis first, as everywhere else; the file has them the other way round. */
  readonly shape: readonly number[];
  /** Number of its type. */
  readonly type: number;
  /** First byte in the file. */
  readonly offset: number;
}

/**
 * Reads where the tensors of a GGUF file are.
 *
 * @throws {Error} as {@linkcode readGgufMetadata}.
 */
export async function readGgufTensors(files: Pick<ModelFiles, "readPart">, name: string): Promise<GgufTensor[]> {
  return await readHead(files, name, (reader) => reader.tensors());
}

async function readHead<T>(
  files: Pick<ModelFiles, "readPart">,
  name: string,
  read: (reader: Reader) => T,
): Promise<T> {
  for (let length = FIRST_PART;; length *= 4) {
    const bytes = await files.readPart(name, 0, length);
    try {
      return read(new Reader(bytes));
    } catch (error) {
      if (error instanceof OutOfBytes && bytes.length === length && length < MAX_BYTES) continue;
      const why = error instanceof OutOfBytes ? `it ends after ${bytes.length} bytes` : reason(error);
      throw new Error(`Cannot read ${name}: ${why}, expected a whole GGUF file: ${CHOOSE_ANOTHER}`, { cause: error });
    }
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

class OutOfBytes extends Error {}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #text = new TextDecoder();
  #at = 0;
  #tensors = 0;
  #items = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  metadata(): GgufMetadata {
    const magic = String.fromCharCode(...this.#bytes.subarray(0, 4));
    if (magic !== "GGUF" && this.#bytes.length >= 4) throw new Error(`it begins with ${JSON.stringify(magic)}`);
    this.#take(4);
    const version = this.#scalar(4);
    if (version === 2 << 24 || version === 3 << 24) throw new Error("it is for machines of the other byte order");
    if (version !== 2 && version !== 3) throw new Error(`its version is ${version}, not 2 or 3`);
    this.#tensors = this.#scalar(10) as number;
    if (this.#tensors > MAX_ENTRIES) throw new Error(`it has ${this.#tensors} tensors, more than ${MAX_ENTRIES}`);
    const count = this.#count();
    if (count > MAX_ENTRIES) throw new Error(`it has ${count} metadata entries, more than ${MAX_ENTRIES}`);
    const found = new Map<string, GgufValue>();
    for (let i = 0; i < count; i++) {
      const name = this.#string();
      const type = this.#scalar(4) as number;
      if (UNREAD.has(name)) this.#skip(type, 0);
      else found.set(name, this.#value(type, 0));
    }
    return found;
  }

  /** The entries after the metadata; tensors begin at the next multiple of the file's alignment. */
  tensors(): GgufTensor[] {
    const alignment = this.metadata().get("general.alignment") ?? 32;
    if (typeof alignment !== "number" || !(Number.isInteger(alignment) && alignment > 0)) {
      throw new Error(`its general.alignment is ${alignment}`);
    }
    const found: GgufTensor[] = [];
    const names = new Set<string>();
    for (let i = 0; i < this.#tensors; i++) {
      const name = this.#string();
      const axes = this.#scalar(4) as number;
      if (axes > MAX_AXES) throw new Error(`a tensor has ${axes} axes, more than ${MAX_AXES}`);
      const shape = Array.from({ length: axes }, () => this.#scalar(10) as number).reverse();
      if (names.has(name)) throw new Error(`it has the tensor ${JSON.stringify(name.slice(0, 80))} twice`);
      names.add(name);
      found.push({ name, shape, type: this.#scalar(4) as number, offset: this.#scalar(10) as number });
    }
    const start = Math.ceil(this.#at / alignment) * alignment;
    return found.map((tensor) => ({ ...tensor, offset: start + tensor.offset }));
  }

  #value(type: number, depth: number): GgufValue {
    if (type === STRING) return this.#string();
    if (type !== ARRAY) return this.#scalar(type);
    const { type: items, count } = this.#list(depth);
    if (items === STRING && count > LATE) return this.#texts(count);
    return Array.from({ length: count }, () => this.#value(items, depth + 1));
  }

  #texts(count: number): LateTexts {
    const from = this.#at;
    const starts = new Uint32Array(count + 1);
    for (let i = 0; i < count; i++) {
      const length = this.#count();
      starts[i] = this.#take(length) - from;
    }
    starts[count] = this.#at - from;
    return new LateTexts(this.#bytes.slice(from, this.#at), starts);
  }

  #skip(type: number, depth: number): void {
    if (type === STRING) this.#take(this.#count());
    else if (type !== ARRAY) this.#take(widthOf(type));
    else {
      const { type: items, count } = this.#list(depth);
      for (let i = 0; i < count; i++) this.#skip(items, depth + 1);
    }
  }

  /** Type and number of the items of a list; each takes at least a byte. */
  #list(depth: number): { type: number; count: number } {
    if (depth >= MAX_DEPTH) throw new Error(`it has lists in lists, more than ${MAX_DEPTH} deep`);
    const type = this.#scalar(4) as number;
    const count = this.#count();
    this.#items += count;
    if (this.#items > MAX_ITEMS) throw new Error(`it has lists of ${this.#items} items, more than ${MAX_ITEMS}`);
    if (count * (scalars[type]?.[0] ?? 8) > this.#bytes.length - this.#at) throw new OutOfBytes();
    return { type, count };
  }

  #string(): string {
    const length = this.#count();
    const from = this.#take(length);
    return this.#text.decode(this.#bytes.subarray(from, from + length));
  }

  #count(): number {
    const count = this.#scalar(10) as number;
    if (count > MAX_BYTES) throw new Error(`it has a length of ${count}, more than ${MAX_BYTES}`);
    return count;
  }

  #scalar(type: number): GgufValue {
    const at = this.#take(widthOf(type));
    return scalars[type][1](this.#view, at);
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.#bytes.length - at) throw new OutOfBytes();
    this.#at = at + length;
    return at;
  }
}

function widthOf(type: number): number {
  const scalar = scalars[type];
  if (scalar === undefined) throw new Error(`it has a value of the unknown type ${type}`);
  return scalar[0];
}
