/**
 * Checkpoints from before torch 1.6: pickles of a mark, a version, the machine, the data and the names of the storages,
 * then the storages, each behind its number of elements.
 *
 * @module
 */
import { type ByteSource, bytesPerStored } from "../../../compute/tensor/mod.ts";
import { MAX_PICKLE_BYTES, readPickle } from "./pickle_machine.ts";
import type { PickleValue } from "./pickle_values.ts";
import { readExactly, refuseCheckpoint } from "./refuse_checkpoint.ts";
import type { FileRange } from "./stored_zip.ts";
import { type TorchCheckpoint, TorchVocabulary } from "./torch_types.ts";

/** The mark at the beginning, and the one version there was. */
const MAGIC = 0x1950a86a20f9469cfc6cn;
const VERSION = 1001;

/**
 * Reads the pickles of an old checkpoint.
 *
 * @throws {SvcError} `checkpoint_refused` for any other file.
 */
export async function readLegacyPickles(name: string, source: ByteSource): Promise<TorchCheckpoint> {
  const bytes = await readExactly(name, source, 0, Math.min(source.size, MAX_PICKLE_BYTES));
  // PROTO, from protocol 4 on FRAME, and LONG1 of ten bytes.
  const mark = bytes[1] < 4 ? 2 : 11;
  if (!(bytes[0] === 0x80 && bytes[mark] === 0x8a && bytes[mark + 1] === 10)) {
    throw refuseCheckpoint(name, "it is not a checkpoint of torch.save, expected a .pt, .pth, .ckpt or .bin file");
  }
  const vocabulary = new TorchVocabulary(name);
  let at = 0;
  const next = (): PickleValue => {
    const { value, end } = readPickle(name, bytes, at, vocabulary);
    at = end;
    return value;
  };
  const [magic, version] = [next(), next()];
  if (magic !== MAGIC || version !== VERSION) {
    throw refuseCheckpoint(name, "it is of an unknown version, expected one of torch.save");
  }
  const machine = next();
  if (machine instanceof Map && machine.get("little_endian") === false) {
    throw refuseCheckpoint(name, `its byte order is "big", expected "little"`);
  }
  const value = next();
  const keys = next();
  const storages = new Map<string, FileRange>();
  for (const key of Array.isArray(keys) ? keys : []) {
    const storage = typeof key === "string" ? vocabulary.storages.get(key) : undefined;
    if (!storage || storages.has(storage.key)) {
      throw refuseCheckpoint(name, "it lists a storage that no tensor has, the file is damaged");
    }
    const head = await readExactly(name, source, at, 8);
    const count = new DataView(head.buffer, head.byteOffset, 8).getBigInt64(0, true);
    const length = storage.count * (storage.dtype === undefined ? 1 : bytesPerStored(storage.dtype));
    if (count !== BigInt(storage.count) || at + 8 + length > source.size) {
      throw refuseCheckpoint(name, `its storage ${key} has ${count} elements, expected ${storage.count}`);
    }
    storages.set(storage.key, { offset: at + 8, length });
    at += 8 + length;
  }
  if (storages.size < vocabulary.storages.size) {
    throw refuseCheckpoint(name, "it lacks the storage of a tensor, the file is damaged");
  }
  return { value, storages };
}
