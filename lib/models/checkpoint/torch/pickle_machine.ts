/**
 * Reads pickles, the format in which Python stores objects, without executing anything: of the instructions only those
 * that build data are known, and classes and functions are names from a closed list. Instructions as in the
 * documentation of Python's module pickletools, protocols 2 to 5 and what torch uses of them.
 *
 * @module
 */
import {
  dictionaryKey,
  PickleBytes,
  PickleGlobal,
  PickleObject,
  type PickleValue,
  type PickleVocabulary,
  refuseCheckpoint,
} from "./pickle_values.ts";

/** A pickle that was read, and where the next one begins. */
export interface ReadPickle {
  readonly value: PickleValue;
  readonly end: number;
}

/** The place in the stack where a list of items begins. */
const MARK: unique symbol = Symbol("mark");
type Item = PickleValue | typeof MARK;

/** Largest pickle that is read, in bytes: that of a model of 10,000 tensors has about 2 MB. */
export const MAX_PICKLE_BYTES: number = 32 * 2 ** 20;

/** More than a model of 100,000 tensors needs: entries of lists, dictionaries and memos, and what holds them. */
const MAX_CHARGE = 12_000_000;

/** What an object costs besides its entries: one byte of a pickle can make a dictionary of hundreds. */
const OBJECT = 2;
const TABLE = 16;

/**
 * Reads one pickle.
 *
 * @param file Name for error sentences.
 * @param start First byte of the pickle.
 * @throws {SvcError} `checkpoint_refused` naming the instruction or class that is not of the closed lists.
 */
export function readPickle(
  file: string,
  bytes: Uint8Array,
  start: number,
  vocabulary: PickleVocabulary,
): ReadPickle {
  return new PickleMachine(file, bytes, start, vocabulary).run();
}

class PickleMachine {
  readonly #file: string;
  readonly #bytes: PickleBytes;
  readonly #vocabulary: PickleVocabulary;
  readonly #stack: Item[] = [];
  readonly #memo: (PickleValue | undefined)[] = [];
  #charge = 0;

  constructor(file: string, bytes: Uint8Array, start: number, vocabulary: PickleVocabulary) {
    this.#file = file;
    this.#bytes = new PickleBytes(file, bytes, start);
    this.#vocabulary = vocabulary;
  }

  run(): ReadPickle {
    for (;;) {
      const place = this.#bytes.at;
      const code = this.#bytes.byte();
      if (code === 0x2e) return { value: this.#pop(), end: this.#bytes.at };
      if (!this.#step(code)) {
        const name = `0x${code.toString(16).padStart(2, "0")}`;
        throw this.#refuse(`it has the instruction ${name} at byte ${place}, expected one that only builds data`);
      }
    }
  }

  /** Carries out an instruction; false when it is not known. */
  #step(code: number): boolean {
    switch (code) {
      case 0x80: // PROTO
        if (this.#bytes.byte() > 5) throw this.#refuse("it is a pickle of a later protocol, expected 2 to 5");
        return true;
      case 0x95: // FRAME
        this.#bytes.wide();
        return true;
      case 0x28: // MARK
        this.#pay(1);
        this.#stack.push(MARK);
        return true;
      case 0x30: // POP
        this.#popItem();
        return true;
      case 0x31: // POP_MARK
        this.#toMark();
        return true;
      case 0x4e: // NONE
        return this.#push(null);
      case 0x88: // NEWTRUE
        return this.#push(true);
      case 0x89: // NEWFALSE
        return this.#push(false);
      case 0x4b: // BININT1
        return this.#push(this.#bytes.byte());
      case 0x4d: // BININT2
        return this.#push(this.#bytes.number(2));
      case 0x4a: // BININT
        return this.#push(this.#bytes.number(4) | 0);
      case 0x8a: // LONG1
        return this.#push(this.#bytes.long(this.#bytes.byte()));
      case 0x47: // BINFLOAT
        return this.#push(this.#bytes.take(8).view.getFloat64(0));
      case 0x58: // BINUNICODE
        return this.#push(this.#bytes.text(this.#bytes.number(4)));
      case 0x8c: // SHORT_BINUNICODE
        return this.#push(this.#bytes.text(this.#bytes.byte()));
      case 0x54: // BINSTRING
        return this.#push(this.#bytes.text(this.#bytes.number(4)));
      case 0x55: // SHORT_BINSTRING
        return this.#push(this.#bytes.text(this.#bytes.byte()));
      case 0x42: // BINBYTES
        return this.#push(this.#bytes.take(this.#bytes.number(4)).bytes);
      case 0x43: // SHORT_BINBYTES
        return this.#push(this.#bytes.take(this.#bytes.byte()).bytes);
      case 0x5d: // EMPTY_LIST
      case 0x29: // EMPTY_TUPLE
        return this.#push([]);
      case 0x7d: // EMPTY_DICT
        this.#pay(TABLE);
        return this.#push(new Map());
      case 0x8f: // EMPTY_SET
        this.#pay(TABLE);
        return this.#push(new Set());
      case 0x85: // TUPLE1
        return this.#push(this.#popMany(1));
      case 0x86: // TUPLE2
        return this.#push(this.#popMany(2));
      case 0x87: // TUPLE3
        return this.#push(this.#popMany(3));
      case 0x74: // TUPLE
      case 0x6c: // LIST
        return this.#push(this.#toMark());
      case 0x61: // APPEND
        return this.#append(this.#popMany(1));
      case 0x65: // APPENDS
        return this.#append(this.#toMark());
      case 0x90: // ADDITEMS
        return this.#add(this.#toMark());
      case 0x73: // SETITEM
        return this.#setItems(this.#popMany(2));
      case 0x75: // SETITEMS
        return this.#setItems(this.#toMark());
      case 0x71: // BINPUT
        return this.#put(this.#bytes.byte());
      case 0x72: // LONG_BINPUT
        return this.#put(this.#bytes.number(4));
      case 0x94: // MEMOIZE
        return this.#put(this.#memo.length);
      case 0x68: // BINGET
        return this.#push(this.#get(this.#bytes.byte()));
      case 0x6a: // LONG_BINGET
        return this.#push(this.#get(this.#bytes.number(4)));
      case 0x63: // GLOBAL
        return this.#push(this.#global(this.#bytes.line(), this.#bytes.line()));
      case 0x93: { // STACK_GLOBAL
        const [module, name] = this.#popMany(2);
        if (typeof module !== "string" || typeof name !== "string") {
          throw this.#refuse("it names a class by what is not text, the file is damaged");
        }
        return this.#push(this.#global(module, name));
      }
      case 0x52: // REDUCE
      case 0x81: // NEWOBJ
        return this.#make();
      case 0x62: // BUILD
        return this.#build();
      case 0x51: // BINPERSID
        return this.#push(this.#vocabulary.resolve(this.#pop()));
      default:
        return false;
    }
  }

  #global(module: string, name: string): PickleGlobal {
    const full = `${module}.${name}`;
    if (this.#vocabulary.knows(full)) return new PickleGlobal(full);
    throw this.#refuse(
      `it contains ${JSON.stringify(full.slice(0, 120))}, which is not data; expected tensors and plain values only`,
    );
  }

  #make(): boolean {
    const args = this.#pop();
    const maker = this.#pop();
    if (!(maker instanceof PickleGlobal) || !Array.isArray(args)) {
      throw this.#refuse("it calls what is not a known function, expected tensors and plain values only");
    }
    // What a function is called with may be a list that was made once and is gone through by every call.
    this.#pay(TABLE + args.reduce<number>((sum, arg) => sum + entriesOf(arg), args.length));
    return this.#push(this.#vocabulary.make(maker.name, args));
  }

  /** Attributes of an object: of no use here, and never executed. */
  #build(): boolean {
    this.#pop();
    const target = this.#top();
    if (target instanceof Map || target instanceof PickleObject) return true;
    throw this.#refuse("it gives attributes to what has none, expected tensors and plain values only");
  }

  #append(items: readonly PickleValue[]): boolean {
    const list = this.#top();
    if (!Array.isArray(list)) throw this.#refuse("it appends to what is not a list, the file is damaged");
    for (const item of items) list.push(item);
    return true;
  }

  #add(items: readonly PickleValue[]): boolean {
    const set = this.#top();
    if (!(set instanceof Set)) throw this.#refuse("it adds to what is not a set, the file is damaged");
    for (const item of items) set.add(dictionaryKey(item));
    return true;
  }

  #setItems(items: readonly PickleValue[]): boolean {
    const map = this.#top();
    if (!(map instanceof Map) || items.length % 2 !== 0) {
      throw this.#refuse("it fills what is not a dictionary, the file is damaged");
    }
    for (let i = 0; i < items.length; i += 2) map.set(dictionaryKey(items[i]), items[i + 1]);
    return true;
  }

  #put(place: number): boolean {
    // Python numbers them one after another.
    this.#pay(1 + Math.max(0, place - this.#memo.length));
    while (this.#memo.length < place) this.#memo.push(undefined);
    this.#memo[place] = this.#top();
    return true;
  }

  #get(place: number): PickleValue {
    const value = this.#memo[place];
    if (value === undefined) throw this.#refuse("it refers to what it does not contain, the file is damaged");
    return value;
  }

  #push(value: PickleValue): true {
    this.#pay(typeof value === "object" ? OBJECT : 1);
    this.#stack.push(value);
    return true;
  }

  #popItem(): Item {
    const item = this.#stack.pop();
    if (item === undefined) throw this.#refuse("it takes more than it has, the file is damaged");
    return item;
  }

  #pop(): PickleValue {
    const item = this.#popItem();
    if (item === MARK) throw this.#refuse("it has a list without an end, the file is damaged");
    return item;
  }

  #top(): PickleValue {
    const value = this.#pop();
    this.#stack.push(value);
    return value;
  }

  #popMany(count: number): PickleValue[] {
    return Array.from({ length: count }, () => this.#pop()).reverse();
  }

  #toMark(): PickleValue[] {
    const mark = this.#stack.lastIndexOf(MARK);
    if (mark < 0) throw this.#refuse("it ends a list that has no beginning, the file is damaged");
    const items = this.#stack.splice(mark);
    return items.slice(1) as PickleValue[];
  }

  /** Counts work and memory before they are spent. */
  #pay(charge: number): void {
    this.#charge += charge;
    if (this.#charge <= MAX_CHARGE) return;
    throw this.#refuse(`it has more than ${MAX_CHARGE} objects and entries, expected a checkpoint of a model`);
  }

  #refuse(problem: string): Error {
    return refuseCheckpoint(this.#file, problem);
  }
}

function entriesOf(value: PickleValue): number {
  if (Array.isArray(value)) return value.length;
  return value instanceof Map || value instanceof Set ? value.size : typeof value === "string" ? value.length : 0;
}
