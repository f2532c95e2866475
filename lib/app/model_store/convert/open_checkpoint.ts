/**
 * Opens checkpoints of tensors: one file, the shards of an index, or a folder with either.
 *
 * @module
 */
import { openGguf } from "./gguf/gguf_source.ts";
import { type ByteSource, openSafetensors } from "../../../compute/tensor/mod.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import { openStateDict } from "../../../models/checkpoint/torch/state_dict.ts";
import type { CheckpointTensor, TensorSource } from "../../../models/checkpoint/torch/tensor_source.ts";
import { type FileReader, openFileReader } from "../../../platform/files/file_reader.ts";
import { readdir, readFile, stat } from "../../../platform/files/file_system.ts";
import { basename, dirname, join } from "../../../platform/files/paths.ts";

/** Tensors of files that are open. */
export interface OpenedCheckpoint extends TensorSource {
  /** The files that the tensors are in. */
  readonly files: readonly string[];
  close(): Promise<void>;
}

const INDEX = /\.index\.json$/i;
const WEIGHTS = /\.(safetensors|pt|pth|ckpt|bin|gguf)$/i;
const MAX_INDEX_BYTES = 64 * 2 ** 20;
const MAX_SHARDS = 1000;

/** Bytes that are copied at a time. */
const PART = 16 * 2 ** 20;

/**
 * Opens a checkpoint; nothing in it is executed.
 *
 * @param part The part of a torch checkpoint to take where several have tensors.
 * @throws {SvcError} `checkpoint_refused`, or `unsuitable_files` when there is none at the path.
 */
export async function openCheckpoint(path: string, part?: string): Promise<OpenedCheckpoint> {
  const files = await findFiles(path);
  const readers: FileReader[] = [];
  const close = async () => {
    for (const reader of readers) await reader.close();
  };
  try {
    const tensors = new Map<string, CheckpointTensor>();
    for (const file of files) {
      const reader = await openFileReader(file);
      readers.push(reader);
      const source = await openTensorSource(file, reader, part);
      for (const tensor of source.tensors) {
        if (tensors.has(tensor.name)) {
          throw new SvcError(
            "checkpoint_refused",
            `Cannot read ${path}: two of its files have the tensor ${JSON.stringify(tensor.name.slice(0, 80))}`,
          );
        }
        tensors.set(tensor.name, tensor);
      }
    }
    return { tensors: [...tensors.values()], files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openTensorSource(file: string, source: ByteSource, part: string | undefined): Promise<TensorSource> {
  const head = await source.read(0, Math.min(9, source.size));
  if (new TextDecoder().decode(head.subarray(0, 4)) === "GGUF") return await openGguf(file, source);
  return head[8] === 0x7b ? await openStored(file, source) : await openStateDict(file, source, part);
}

async function openStored(file: string, source: ByteSource): Promise<TensorSource> {
  const opened = await openSafetensors(file, source).catch((error) => {
    throw new SvcError("checkpoint_refused", error.message, { cause: error });
  });
  const tensors = Array.from(opened.tensors.values(), ({ name, dtype, shape, offset, byteLength }) => ({
    ...{ name, dtype, shape, byteLength },
    read: async function* () {
      for (let at = 0; at < byteLength; at += PART) {
        yield await source.read(offset + at, Math.min(PART, byteLength - at));
      }
    },
  }));
  return { tensors };
}

async function findFiles(path: string): Promise<string[]> {
  const refuse = (problem: string) => new SvcError("unsuitable_files", `Cannot convert ${path}: ${problem}`);
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile()) return INDEX.test(path) ? await shardsOf(path) : [path];
  if (!info?.isDirectory()) throw refuse("it does not exist, expected a checkpoint, an index of shards or a folder");
  const names = await readdir(path);
  const indices = names.filter((name) => INDEX.test(name));
  if (indices.length === 1) return await shardsOf(join(path, indices[0]));
  const weights = names.filter((name) => WEIGHTS.test(name));
  if (indices.length === 0 && weights.length === 1) return [join(path, weights[0])];
  throw refuse(`it has ${weights.length} files of weights and ${indices.length} indices, expected one; name the file`);
}

/** The files of `{"weight_map": {"<tensor>": "<file>"}}`, which lie beside the index. */
async function shardsOf(index: string): Promise<string[]> {
  const refuse = (problem: string) => new SvcError("checkpoint_refused", `Cannot read ${index}: ${problem}`);
  if ((await stat(index)).size > MAX_INDEX_BYTES) throw refuse(`it has more than ${MAX_INDEX_BYTES} bytes`);
  let map: unknown;
  try {
    map = (JSON.parse(new TextDecoder().decode(await readFile(index))) as { weight_map?: unknown } | null)?.weight_map;
  } catch {
    throw refuse("it is not JSON, expected an index of shards");
  }
  const shards = new Set(Object.values(typeof map === "object" && map !== null ? map : {}));
  if (shards.size === 0 || shards.size > MAX_SHARDS) {
    throw refuse(`it names ${shards.size} files, expected 1 to ${MAX_SHARDS}`);
  }
  return [...shards].sort().map((shard) => {
    if (typeof shard === "string" && shard === basename(shard) && WEIGHTS.test(shard)) {
      return join(dirname(index), shard);
    }
    throw refuse(`it names ${JSON.stringify(shard)?.slice(0, 80)}, expected files beside it`);
  });
}
