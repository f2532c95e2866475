/**
 * Reads the variables of `model.bin`, the file of weights of CTranslate2.
 *
 * @module
 */
import { show } from "../../../errors/show.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import type { ByteSource } from "../../../compute/tensor/mod.ts";

/** Element types by their number in the file, with the bytes of an element. */
const TYPES = [["f32", 4], ["i8", 1], ["i16", 2], ["i32", 4], ["f16", 2], ["bf16", 2]] as const;

/** Element type of a variable. */
export type VariableType = typeof TYPES[number][0];

/** Where a variable is in the file. */
export interface Variable {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: VariableType;
  readonly offset: number;
  readonly byteLength: number;
}

/** What the file has. */
export interface CTranslate2File {
  /** Of the architecture, such as `WhisperSpec`. */
  readonly architecture: string;
  readonly revision: number;
  /** By name; an alias has the variable that it stands for. */
  readonly variables: ReadonlyMap<string, Variable>;
}

/** Version of the format that is read, the one that CTranslate2 has written since Whisper was added. */
const VERSION = 6;

const MAX_VARIABLES = 100_000;
const MAX_RANK = 8;
/** Longest name in bytes, with the zero at its end. */
const MAX_NAME = 256;
/** Bytes before the contents of a variable: name, rank, sizes, type, length. */
const MAX_HEAD = 2 + MAX_NAME + 1 + 4 * MAX_RANK + 1 + 4;

/**
 * Reads where the variables are, not what they contain. Every length is compared with the size of the file before it
 * is used.
 *
 * The format, little endian: version; name and revision of the architecture; number of variables, each with name,
 * rank, sizes, type, length and contents; number of aliases, each with two names. Numbers have 32 bits, but rank and
 * type 8; a name has its length in 16 bits and ends with a zero.
 *
 * @param path For the error sentence.
 * @throws {SvcError} `unsuitable_files` when it is damaged or another format.
 */
export async function readCTranslate2(source: ByteSource, path: string): Promise<CTranslate2File> {
  const cursor = new Cursor(source, path);
  await cursor.need(MAX_HEAD);
  const version = cursor.u32("its version");
  if (version !== VERSION) throw cursor.refuse(`it has version ${version}, expected version ${VERSION} of CTranslate2`);
  const architecture = cursor.name("the name of its architecture");
  const revision = cursor.u32("its revision");
  const count = cursor.count("variables");
  const variables = new Map<string, Variable>();
  for (let i = 0; i < count; i++) {
    await cursor.need(MAX_HEAD);
    const variable = readVariable(cursor, i, count);
    if (variables.has(variable.name)) throw cursor.refuse(`it has the variable ${show(variable.name)} twice`);
    variables.set(variable.name, variable);
    cursor.at = variable.offset + variable.byteLength;
  }
  await cursor.need(4);
  const aliases = cursor.count("aliases");
  for (let i = 0; i < aliases; i++) {
    await cursor.need(2 * (2 + MAX_NAME));
    const [alias, name] = [cursor.name("the name of an alias"), cursor.name("the name of an alias")];
    const variable = variables.get(name);
    if (variable === undefined) {
      throw cursor.refuse(`its alias ${show(alias)} stands for ${show(name)}, which it lacks`);
    }
    if (variables.has(alias)) throw cursor.refuse(`it has the variable ${show(alias)} twice`);
    variables.set(alias, variable);
  }
  if (cursor.at !== source.size) {
    throw cursor.refuse(`it has ${source.size - cursor.at} bytes after its end, expected none`);
  }
  return { architecture, revision, variables };
}

function readVariable(cursor: Cursor, index: number, count: number): Variable {
  const name = cursor.name(`the name of variable ${index + 1} of ${count}`);
  const what = show(name);
  const rank = cursor.u8(`the rank of ${what}`);
  if (rank > MAX_RANK) throw cursor.refuse(`its variable ${what} has ${rank} axes, expected at most ${MAX_RANK}`);
  const shape = Array.from({ length: rank }, () => cursor.u32(`the sizes of ${what}`));
  const number = cursor.u8(`the type of ${what}`);
  if (number >= TYPES.length) {
    const known = TYPES.map(([type], i) => `${i} (${type})`).join(", ");
    throw cursor.refuse(`its variable ${what} has the data type ${number}, expected one of ${known}`);
  }
  const [type, width] = TYPES[number];
  const byteLength = cursor.u32(`the length of ${what}`);
  const offset = cursor.at;
  const expected = shape.reduce((product, size) => product * size, width);
  if (byteLength !== expected) {
    throw cursor.refuse(`its variable ${what} has ${byteLength} bytes, expected ${expected} of [${shape}] in ${type}`);
  }
  if (offset + byteLength > cursor.size) {
    throw cursor.refuse(
      `it ends after ${cursor.size} bytes, within its variable ${what}, expected ${offset + byteLength} or more`,
    );
  }
  return { name, shape, type, offset, byteLength };
}

/** Reads numbers and names from one place after the other. */
class Cursor {
  /** The place in the file. */
  at = 0;
  readonly size: number;
  readonly #source: ByteSource;
  readonly #path: string;
  #start = 0;
  #bytes: DataView = new DataView(new ArrayBuffer(0));

  constructor(source: ByteSource, path: string) {
    this.#source = source;
    this.#path = path;
    this.size = source.size;
  }

  refuse(problem: string): SvcError {
    return new SvcError("unsuitable_files", `Cannot read ${this.#path}: ${problem}`);
  }

  /** Has the next bytes in memory, or those up to the end of the file. */
  async need(length: number): Promise<void> {
    const kept = this.at - this.#start;
    const wanted = Math.min(length, this.size - this.at);
    if (kept >= 0 && kept + wanted <= this.#bytes.byteLength) return;
    const bytes = await this.#source.read(this.at, Math.max(wanted, 0));
    this.#bytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#start = this.at;
  }

  u8(what: string): number {
    return this.#bytes.getUint8(this.#take(1, what));
  }

  u32(what: string): number {
    return this.#bytes.getUint32(this.#take(4, what), true);
  }

  /** How many follow; each has at least a name of one character. */
  count(what: string): number {
    const count = this.u32(`the number of its ${what}`);
    if (count > MAX_VARIABLES || 4 * count > this.size - this.at) {
      throw this.refuse(`it says that it has ${count} ${what}, more than its ${this.size} bytes can hold`);
    }
    return count;
  }

  name(what: string): string {
    const length = this.#bytes.getUint16(this.#take(2, what), true);
    if (length < 2 || length > MAX_NAME) {
      throw this.refuse(`${what} has ${length} bytes, expected 2 to ${MAX_NAME} with the zero at its end`);
    }
    const start = this.#take(length, what);
    const bytes = new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
    const text = bytes.subarray(0, -1);
    if (bytes[length - 1] === 0 && text.every((byte) => byte > 0x20 && byte < 0x7f)) {
      return String.fromCharCode(...text);
    }
    throw this.refuse(`${what} is not text that ends with a zero, expected the format of CTranslate2`);
  }

  /** Steps over bytes; gives their place in those in memory. */
  #take(length: number, what: string): number {
    const place = this.at - this.#start;
    if (place + length > this.#bytes.byteLength) {
      throw this.refuse(`it ends after ${this.size} bytes, within ${what}, expected a whole file: download it again`);
    }
    this.at += length;
    return place;
  }
}
