/**
 * What pickles of checkpoints consist of: data, never code.
 *
 * @module
 */

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
