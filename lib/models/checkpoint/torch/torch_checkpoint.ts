/**
 * Checkpoints as `torch.save` writes them: a ZIP archive since torch 1.6, a row of pickles before. Nothing in them is
 * executed: a pickle becomes data by a closed list of instructions and classes.
 *
 * @module
 */
import { type ByteSource, bytesPerStored } from "../../../compute/tensor/mod.ts";
import { readLegacyPickles } from "./legacy_file.ts";
import { MAX_PICKLE_BYTES, readPickle } from "./pickle_machine.ts";
import { readExactly, refuseCheckpoint } from "./refuse_checkpoint.ts";
import { type FileRange, isZip, readStoredZip } from "./stored_zip.ts";
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
  const files = await readStoredZip(name, source);
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

async function checkByteOrder(name: string, source: ByteSource, range: FileRange | undefined): Promise<void> {
  if (!range) return;
  const text = new TextDecoder().decode(await readExactly(name, source, range.offset, Math.min(range.length, 16)));
  if (text.trim() === "little") return;
  throw refuseCheckpoint(name, `its byte order is ${JSON.stringify(text)}, expected "little"`);
}
