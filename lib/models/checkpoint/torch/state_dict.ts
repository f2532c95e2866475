/**
 * The tensors of a checkpoint by their names.
 *
 * @module
 */
import { type ByteSource, bytesPerStored, type StoredDType } from "../../../compute/tensor/mod.ts";
import { type PickleValue, readExactly, refuseCheckpoint } from "./pickle_values.ts";
import { openTorchCheckpoint } from "./torch_checkpoint.ts";
import { tensorOf, type TorchCheckpoint, type TorchTensor } from "./torch_types.ts";

/** Bytes of tensors together, for each byte of the file: tensors may share a storage, but not without end. */
const MAX_SHARING = 4;

/** Bytes that are copied at a time. */
const PART = 16 * 2 ** 20;

/**
 * The tensors of a torch checkpoint, names unchanged: those of the dictionary that was saved, else those of its only
 * part with tensors, or the part `state_dict`.
 *
 * @param part The part to take where several have tensors, such as `ema`.
 * @throws {SvcError} `checkpoint_refused`.
 */
export async function openStateDict(name: string, source: ByteSource, part?: string): Promise<TensorSource> {
  const checkpoint = await openTorchCheckpoint(name, source);
  const found = findTensors(name, checkpoint.value, part);
  const tensors: CheckpointTensor[] = [];
  let total = 0;
  for (const [tensorName, tensor] of found) {
    const count = tensor.shape.reduce((n, length) => n * length, 1);
    const byteLength = count * bytesPerStored(tensor.dtype);
    total += byteLength;
    if (!(total <= MAX_SHARING * source.size + 2 ** 20)) {
      throw refuseCheckpoint(name, `its tensors overlap: they have more than ${total} bytes, the file ${source.size}`);
    }
    tensors.push({
      ...{ name: tensorName, dtype: tensor.dtype, shape: tensor.shape, byteLength },
      read: () => readTensor(name, source, checkpoint, tensor),
    });
  }
  return { tensors };
}

function findTensors(name: string, root: PickleValue, part: string | undefined): Map<string, TorchTensor> {
  if (!(root instanceof Map)) throw refuseCheckpoint(name, "it is not a dictionary, expected tensors by their names");
  const own = tensorsIn(root);
  if (own.size > 0 && part === undefined) return own;
  const parts = new Map<string, Map<string, TorchTensor>>();
  for (const [key, value] of root) {
    const inside = value instanceof Map && typeof key === "string" ? tensorsIn(value) : undefined;
    if (inside && inside.size > 0) parts.set(String(key), inside);
  }
  const chosen = part ?? (parts.has("state_dict") ? "state_dict" : parts.size === 1 ? [...parts.keys()][0] : undefined);
  const tensors = chosen === undefined ? undefined : parts.get(chosen);
  if (tensors) return tensors;
  const there = [...parts.keys()].slice(0, 16).map((key) => JSON.stringify(key.slice(0, 60))).join(", ");
  if (parts.size === 0) throw refuseCheckpoint(name, "it has no tensors, expected a dictionary of tensors");
  const found = chosen === undefined ? "several of its parts have" : `no part ${JSON.stringify(chosen)} has`;
  throw refuseCheckpoint(
    name,
    (option) => `${found} tensors, expected one of ${there}; name it with ${option("part")}`,
  );
}

function tensorsIn(map: ReadonlyMap<PickleValue, PickleValue>): Map<string, TorchTensor> {
  const tensors = new Map<string, TorchTensor>();
  for (const [key, value] of map) {
    const tensor = tensorOf(value);
    if (tensor && typeof key === "string") tensors.set(key, tensor);
  }
  return tensors;
}

async function* readTensor(
  name: string,
  source: ByteSource,
  { storages }: TorchCheckpoint,
  { storage, dtype, offset, shape, strides }: TorchTensor,
): AsyncGenerator<Uint8Array> {
  const size = bytesPerStored(dtype);
  const { offset: start } = storages.get(storage.key)!;
  const count = shape.reduce((n, length) => n * length, 1);
  if (count === 0) return;
  if (isDense(shape, strides)) {
    for (let at = 0; at < count * size; at += PART) {
      yield await readExactly(name, source, start + offset * size + at, Math.min(PART, count * size - at));
    }
    return;
  }
  const reach = 1 + shape.reduce((sum, length, i) => sum + (length - 1) * strides[i], 0);
  const stored = await readExactly(name, source, start + offset * size, reach * size);
  yield gather(stored, size, shape, strides, count);
}

/** Whether the elements lie one after the other, the last axis first. */
function isDense(shape: readonly number[], strides: readonly number[]): boolean {
  let step = 1;
  for (let i = shape.length; i-- > 0;) {
    if (shape[i] !== 1 && strides[i] !== step) return false;
    step *= shape[i];
  }
  return true;
}

/** The elements in the order of their indices. */
function gather(
  stored: Uint8Array,
  size: number,
  shape: readonly number[],
  strides: readonly number[],
  count: number,
): Uint8Array {
  const out = new Uint8Array(count * size);
  const index = new Array<number>(shape.length).fill(0);
  let from = 0;
  for (let i = 0; i < count; i++) {
    for (let b = 0; b < size; b++) out[i * size + b] = stored[from * size + b];
    for (let axis = shape.length; axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

/** A tensor that can be read. */
export interface CheckpointTensor {
  readonly name: string;
  readonly dtype: StoredDType;
  readonly shape: readonly number[];
  readonly byteLength: number;
  /** Its elements, row by row, little-endian, in parts. */
  read(): AsyncIterable<Uint8Array>;
}

/** The tensors of a checkpoint. */
export interface TensorSource {
  readonly tensors: readonly CheckpointTensor[];
}
