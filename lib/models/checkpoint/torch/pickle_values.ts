/**
 * What pickles of checkpoints consist of: data, never code; its bytes, read one after another and never past their
 * end; and the error about a checkpoint that is not read.
 *
 * @module
 */
import type { ByteSource } from "../../../compute/tensor/mod.ts";
import { optionError, type OptionSentence } from "../../../errors/option_error.ts";
import { SvcError } from "../../../errors/svc_error.ts";

/** A name of a class or function of Python; it is only compared, never called. */
export class PickleGlobal {
  readonly name: string;

  /** @param name Module and name, such as `collections.OrderedDict`. */
  constructor(name: string) {
    this.name = name;
  }
}

/** What one of the known functions would have made, such as a tensor. */
export class PickleObject<T = unknown> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/** A value of a pickle; dictionaries are maps, lists and tuples arrays, sets and bytes as in JavaScript. */
export type PickleValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | PickleValue[]
  | Set<PickleValue>
  | Map<PickleValue, PickleValue>
  | PickleGlobal
  | PickleObject;

/** What a pickle may name, and what that means. */
export interface PickleVocabulary {
  /** Whether the class or function is known. */
  knows(name: string): boolean;
  /** The object that a known function makes. */
  make(name: string, args: readonly PickleValue[]): PickleValue;
  /** The object that a reference outside of the pickle means. */
  resolve(reference: PickleValue): PickleValue;
}

/** Reads the operands of a pickle's instructions. */
export class PickleBytes {
  readonly #file: string;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;

  /** @param file Name for error sentences. */
  constructor(file: string, bytes: Uint8Array, start: number) {
    this.#file = file;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
  }

  /** The place of the next byte. */
  get at(): number {
    return this.#at;
  }

  /** The next byte. */
  byte(): number {
    if (this.#at >= this.#bytes.length) throw this.#cutOff();
    return this.#bytes[this.#at++];
  }

  /** An unsigned integer. */
  number(length: 2 | 4): number {
    const { view } = this.take(length);
    return length === 2 ? view.getUint16(0, true) : view.getUint32(0, true);
  }

  /** An unsigned integer of 8 bytes. */
  wide(): bigint {
    return this.take(8).view.getBigUint64(0, true);
  }

  /** An integer of up to 16 bytes, two's complement; as a number where it fits one exactly. */
  long(length: number): number | bigint {
    if (length > 16) throw this.#refuse(`it has an integer of ${length} bytes, expected at most 16`);
    const { bytes } = this.take(length);
    let value = 0n;
    for (let i = length; i-- > 0;) value = value << 8n | BigInt(bytes[i]);
    const signed = BigInt.asIntN(8 * length, value);
    return signed >= Number.MIN_SAFE_INTEGER && signed <= Number.MAX_SAFE_INTEGER ? Number(signed) : signed;
  }

  /** Text of `length` bytes. */
  text(length: number): string {
    return new TextDecoder().decode(this.take(length).bytes);
  }

  /** Text up to the end of its line. */
  line(): string {
    const end = this.#bytes.indexOf(0x0a, this.#at);
    if (end < 0) throw this.#cutOff();
    const text = new TextDecoder().decode(this.#bytes.subarray(this.#at, end));
    this.#at = end + 1;
    return text;
  }

  /** The next `length` bytes. */
  take(length: number): { readonly bytes: Uint8Array; readonly view: DataView } {
    if (this.#at + length > this.#bytes.length) throw this.#cutOff();
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    const view = new DataView(this.#view.buffer, this.#view.byteOffset + this.#at, length);
    this.#at += length;
    return { bytes, view };
  }

  #cutOff(): Error {
    return this.#refuse("the pickle in it is cut off, expected a whole file");
  }

  #refuse(problem: string): Error {
    return refuseCheckpoint(this.#file, problem);
  }
}

/**
 * A key of a dictionary. The engine's hash of numbers has no secret, so that a file could have many of one hash; small
 * ones are too few for that, and others are keys by their text.
 */
export function dictionaryKey(value: PickleValue): PickleValue {
  const isOther = typeof value === "bigint" || typeof value === "number" && !(value >= 0 && value < 2 ** 20);
  return isOther ? String(value) : value;
}

/**
 * The error that says why a checkpoint is not read.
 *
 * @param problem A sentence, or one that names options.
 */
export function refuseCheckpoint(name: string, problem: string | OptionSentence): SvcError {
  const refused = (message: string) => new SvcError("checkpoint_refused", message);
  if (typeof problem === "string") return refused(`Cannot read ${name}: ${problem}`);
  return optionError((option) => `Cannot read ${name}: ${problem(option)}`, refused);
}

/**
 * Reads a range.
 *
 * @throws {SvcError} `checkpoint_refused` when the file ends before.
 */
export async function readExactly(
  name: string,
  source: ByteSource,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const inside = offset >= 0 && offset + length <= source.size;
  const bytes = inside ? await source.read(offset, length) : new Uint8Array();
  if (bytes.length === length && inside) return bytes;
  throw refuseCheckpoint(name, `it ends before byte ${offset + length}, expected a whole file`);
}
