/**
 * The classes and functions that checkpoints of tensors consist of: a closed list.
 *
 * @module
 */
import { bytesPerStored, type StoredDType } from "../../../compute/tensor/mod.ts";
import {
  dictionaryKey,
  PickleGlobal,
  PickleObject,
  type PickleValue,
  type PickleVocabulary,
  refuseCheckpoint,
} from "./pickle_values.ts";
import type { FileRange } from "../../../platform/files/zip_archive.ts";

/** Numbers of one type, one after the other, that tensors are views of. */
export interface TorchStorage {
  /** Undefined where the tensors say the type. */
  readonly dtype: StoredDType | undefined;
  /** Its name within the checkpoint. */
  readonly key: string;
  /** Elements of its type, bytes where it has none. */
  readonly count: number;
}

/** A tensor as the checkpoint describes it. */
export interface TorchTensor {
  readonly storage: TorchStorage;
  readonly dtype: StoredDType;
  /** First element in the storage. */
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/** A checkpoint whose tensors have not been read. */
export interface TorchCheckpoint {
  /** What was saved. */
  readonly value: PickleValue;
  /** Where the bytes of each storage are, by its key. */
  readonly storages: ReadonlyMap<string, FileRange>;
}

/** Element types by what torch calls them. */
const dtypes: Readonly<Record<string, StoredDType>> = {
  float32: "F32",
  float64: "F64",
  float16: "F16",
  bfloat16: "BF16",
  int64: "I64",
  int32: "I32",
  int16: "I16",
  int8: "I8",
  uint8: "U8",
  uint16: "U16",
  uint32: "U32",
  uint64: "U64",
  bool: "BOOL",
  float8_e4m3fn: "F8_E4M3",
  float8_e5m2: "F8_E5M2",
};

/** Classes of typed storages. */
const storages: Readonly<Record<string, StoredDType>> = {
  FloatStorage: "F32",
  DoubleStorage: "F64",
  HalfStorage: "F16",
  BFloat16Storage: "BF16",
  LongStorage: "I64",
  IntStorage: "I32",
  ShortStorage: "I16",
  CharStorage: "I8",
  ByteStorage: "U8",
  BoolStorage: "BOOL",
};

const names: ReadonlySet<string> = new Set([
  "collections.OrderedDict",
  "torch._utils._rebuild_tensor",
  "torch._utils._rebuild_tensor_v2",
  "torch._utils._rebuild_tensor_v3",
  "torch._utils._rebuild_parameter",
  "torch.Size",
  "torch.device",
  "torch.storage.UntypedStorage",
  "torch.UntypedStorage",
  ...Object.keys(storages).map((name) => `torch.${name}`),
  ...Object.keys(dtypes).map((name) => `torch.${name}`),
]);

const MAX_AXES = 64;

/** What pickles of a checkpoint may name. */
export class TorchVocabulary implements PickleVocabulary {
  /** The storages that were named, by their keys. */
  readonly storages: Map<string, TorchStorage> = new Map();
  readonly #file: string;

  /** @param file Name for error sentences. */
  constructor(file: string) {
    this.#file = file;
  }

  knows(name: string): boolean {
    return names.has(name);
  }

  make(name: string, args: readonly PickleValue[]): PickleValue {
    switch (name) {
      case "collections.OrderedDict":
        return this.#dictionary(args[0] ?? []);
      case "torch._utils._rebuild_tensor": // storage, offset, size, strides
      case "torch._utils._rebuild_tensor_v2": // ..., requires_grad, hooks, views
        return this.#tensor(args, undefined, args[6]);
      case "torch._utils._rebuild_tensor_v3": // ..., requires_grad, hooks, dtype, views
        return this.#tensor(args, args[6], args[7]);
      case "torch._utils._rebuild_parameter":
        if (tensorOf(args[0])) return args[0];
        break;
      case "torch.Size":
        if (Array.isArray(args[0])) return args[0];
        break;
      case "torch.device":
        // Not as text: a list of lists of lists has no end as one. Nothing here looks at it: it is where tensors were.
        if (args.every((arg) => typeof arg === "string" || typeof arg === "number")) return null;
        break;
    }
    throw this.#damaged(`it calls ${name} in a way that is not known`);
  }

  /** `("storage", class, key, place, count)`, and nothing for the part of another one in old files. */
  resolve(reference: PickleValue): PickleValue {
    const [kind, type, key, , count, view = null] = Array.isArray(reference) ? reference : [];
    const known = kind === "storage" && type instanceof PickleGlobal && typeof key === "string" && isCount(count) &&
      view === null;
    if (!known) throw this.#damaged("it refers to something that is not a storage");
    const name = type.name.slice(type.name.lastIndexOf(".") + 1);
    if (name !== "UntypedStorage" && !Object.hasOwn(storages, name)) throw this.#damaged(`${name} is not a storage`);
    const storage = { dtype: storages[name], key, count };
    const before = this.storages.get(key);
    if (before && (before.dtype !== storage.dtype || before.count !== count)) {
      throw this.#damaged(`it describes the storage ${JSON.stringify(key.slice(0, 40))} in two ways`);
    }
    this.storages.set(key, before ?? storage);
    return new PickleObject<TorchStorage>(before ?? storage);
  }

  #tensor(
    args: readonly PickleValue[],
    type: PickleValue | undefined,
    views?: PickleValue,
  ): PickleObject<TorchTensor> {
    // Its storage has other numbers than it: `torch._neg_view` and `torch.conj` only note what they do.
    if (views instanceof Map && (views.get("neg") === true || views.get("conj") === true)) {
      throw this.#damaged(
        "it has a tensor that is the negative or conjugate of what is stored (resolve_neg() ends that)",
      );
    }
    const [stored, offset, shape, strides] = args;
    const storage = stored instanceof PickleObject && isStorage(stored.value) ? stored.value : undefined;
    if (!storage || !isCount(offset) || !isCounts(shape) || !isCounts(strides) || shape.length !== strides.length) {
      throw this.#damaged("it describes a tensor in a way that is not known");
    }
    if (shape.length > MAX_AXES) {
      throw this.#damaged(`it has a tensor of ${shape.length} axes, expected at most ${MAX_AXES}`);
    }
    const named = type instanceof PickleGlobal ? dtypes[type.name.slice("torch.".length)] : undefined;
    const dtype = named ?? storage.dtype;
    if (dtype === undefined || (named === undefined && type !== undefined)) {
      throw this.#damaged("it has a tensor of a type that is not known");
    }
    const reach = shape.includes(0) ? 0 : 1 + shape.reduce((sum, length, i) => sum + (length - 1) * strides[i], offset);
    const room = storage.dtype === undefined ? storage.count / bytesPerStored(dtype) : storage.count;
    if (reach > room || (storage.dtype !== undefined && storage.dtype !== dtype)) {
      throw this.#damaged(`it has a tensor of ${reach} elements in a storage of ${storage.count}`);
    }
    return new PickleObject<TorchTensor>({ storage, dtype, offset, shape, strides });
  }

  #dictionary(items: PickleValue): Map<PickleValue, PickleValue> {
    if (!Array.isArray(items)) throw this.#damaged("malformed dictionary");
    return new Map(items.map((pair): [PickleValue, PickleValue] => {
      if (Array.isArray(pair) && pair.length === 2) return [dictionaryKey(pair[0]), pair[1]];
      throw this.#damaged("malformed dictionary");
    }));
  }

  #damaged(problem: string): Error {
    return refuseCheckpoint(this.#file, `${problem}, expected tensors and plain values only`);
  }
}

/** The tensor that a value is, if it is one. */
export function tensorOf(value: PickleValue | undefined): TorchTensor | undefined {
  const inner = value instanceof PickleObject ? value.value : undefined;
  return typeof inner === "object" && inner !== null && "strides" in inner ? inner as TorchTensor : undefined;
}

function isStorage(value: unknown): value is TorchStorage {
  return typeof value === "object" && value !== null && "key" in value;
}

function isCount(value: PickleValue | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isCounts(value: PickleValue | undefined): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}
