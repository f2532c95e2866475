/**
 * Checkpoints as `torch.save` writes them: a ZIP archive since torch 1.6, a row of pickles before. Nothing in them is
 * executed: a pickle becomes data by a closed list of instructions and classes.
 *
 * @module
 */
import { type ByteSource, bytesPerStored } from "../../../compute/tensor/mod.ts";
import { MAX_PICKLE_BYTES, readPickle } from "./pickle_machine.ts";
import { type PickleValue, readExactly, refuseCheckpoint } from "./pickle_values.ts";
import { type FileRange, isZip, ZipArchive, type ZipEntry } from "../../../platform/files/zip_archive.ts";
import { type TorchCheckpoint, TorchVocabulary } from "./torch_types.ts";

/**
 * Opens a checkpoint.
 *
 * @param name For error sentences.
 * @throws {SvcError} `checkpoint_refused` for anything but plain data and tensors, and for damaged files.
 */
export async function openTorchCheckpoint(name: string, source: ByteSource): Promise<TorchCheckpoint> {
  const head = await readExactly(name, source, 0, Math.min(4, source.size));
  return isZip(head) ? await openArchive(name, source) : await readLegacyPickles(name, source);
}

async function openArchive(name: string, source: ByteSource): Promise<TorchCheckpoint> {
  const files = await storedFiles(name, source);
  const pickle = [...files.keys()].find((path) => /^[^/]+\/data\.pkl$/.test(path));
  if (pickle === undefined) throw refuseCheckpoint(name, "it has no data.pkl, expected a checkpoint of torch.save");
  const folder = pickle.slice(0, -"data.pkl".length);
  await checkByteOrder(name, source, files.get(`${folder}byteorder`));
  const { offset, length } = files.get(pickle)!;
  if (length > MAX_PICKLE_BYTES) {
    throw refuseCheckpoint(name, `its data.pkl has ${length} bytes, expected at most ${MAX_PICKLE_BYTES}`);
  }
  const vocabulary = new TorchVocabulary(name);
  const { value } = readPickle(name, await readExactly(name, source, offset, length), 0, vocabulary);
  const storages = new Map<string, FileRange>();
  for (const [key, { dtype, count }] of vocabulary.storages) {
    const range = files.get(`${folder}data/${key}`);
    const bytes = count * (dtype === undefined ? 1 : bytesPerStored(dtype));
    if (!range || range.length < bytes) {
      const there = range ? `has ${range.length} bytes` : "is missing";
      throw refuseCheckpoint(name, `its storage ${JSON.stringify(key.slice(0, 40))} ${there}, expected ${bytes}`);
    }
    storages.set(key, range);
  }
  return { value, storages };
}

/** More than the storages of any model: each file has a header of its own to read. */
const BOUNDS = { files: 2 ** 17, directory: 64 * 2 ** 20 } as const;

/** The files of an archive by their names: none is compressed, so that each is a range of the archive. */
async function storedFiles(name: string, source: ByteSource): Promise<Map<string, FileRange>> {
  const ranges = new Map<string, FileRange>();
  try {
    const archive = await ZipArchive.open(source, BOUNDS);
    for (const entry of archive.entries.values()) {
      checkStored(name, entry);
      ranges.set(entry.name, await archive.locate(entry));
    }
  } catch (error) {
    throw error instanceof RangeError ? refuseCheckpoint(name, error.message) : error;
  }
  const sorted = [...ranges].filter(([, { length }]) => length > 0).sort(([, a], [, b]) => a.offset - b.offset);
  for (let i = 1; i < sorted.length; i++) {
    const [[before, { offset, length }], [after, next]] = [sorted[i - 1], sorted[i]];
    if (offset + length <= next.offset) continue;
    throw refuseCheckpoint(name, `its files ${quote(before)} and ${quote(after)} share bytes, expected their own each`);
  }
  return ranges;
}

function checkStored(name: string, { name: file, method, isEncrypted, size, packed }: ZipEntry): void {
  const found = isEncrypted
    ? "is encrypted"
    : method !== 0
    ? "is compressed"
    : size !== packed
    ? `has two sizes, ${size} and ${packed}`
    : undefined;
  if (found !== undefined) throw refuseCheckpoint(name, `its file ${quote(file)} ${found}, expected plain files`);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

async function checkByteOrder(name: string, source: ByteSource, range: FileRange | undefined): Promise<void> {
  if (!range) return;
  const text = new TextDecoder().decode(await readExactly(name, source, range.offset, Math.min(range.length, 16)));
  if (text.trim() === "little") return;
  throw refuseCheckpoint(name, `its byte order is ${JSON.stringify(text)}, expected "little"`);
}

/** The mark at the beginning, and the one version there was. */
const MAGIC = 0x1950a86a20f9469cfc6cn;
const VERSION = 1001;

/**
 * Reads the pickles of an old checkpoint.
 *
 * @throws {SvcError} `checkpoint_refused` for any other file.
 */
async function readLegacyPickles(name: string, source: ByteSource): Promise<TorchCheckpoint> {
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
