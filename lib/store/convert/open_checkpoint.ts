/**
 * Opens checkpoints of tensors: one file, the shards of an index, or a folder with either.
 *
 * @module
 */
import { openGguf } from "./gguf_source.ts";
import { type ByteSource, openSafetensors } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { type CheckpointTensor, openStateDict, type TensorSource } from "../../models/checkpoint/torch/state_dict.ts";
import { type FileReader, openFileReader } from "../../platform/files/read_part.ts";
import { readdir, stat } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { readShardIndex, WEIGHTS } from "./shard_index.ts";

/** Tensors of files that are open. */
export interface OpenedCheckpoint extends TensorSource {
  /** The files that the tensors are in. */
  readonly files: readonly string[];
  /** The index that names them; undefined without one. */
  readonly index: string | undefined;
  close(): Promise<void>;
}

const INDEX = /\.index\.json$/i;

/** How files begin that Git LFS has not fetched. */
const GIT_LFS = "version https://git-lfs.github.com/spec/";

/** Bytes that are copied at a time. */
const PART = 16 * 2 ** 20;

/**
 * Opens a checkpoint; nothing in it is executed.
 *
 * @param part The part of a torch checkpoint to take where several have tensors.
 * @throws {SvcError} `checkpoint_refused`, or `unsuitable_files` when there is none at the path.
 */
export async function openCheckpoint(path: string, part?: string): Promise<OpenedCheckpoint> {
  const { files, index } = await findFiles(path);
  const readers: FileReader[] = [];
  const close = async () => {
    for (const reader of readers) await reader.close();
  };
  try {
    const tensors = new Map<string, CheckpointTensor>();
    for (const [file, expected] of files) {
      const reader = await openFileReader(file).catch((error: Error) => {
        throw new SvcError("checkpoint_refused", `Cannot read ${path}: ${whyUnreadable(file, error)}`, {
          cause: error,
        });
      });
      readers.push(reader);
      const source = await openTensorSource(file, reader, part);
      const names = new Set(source.tensors.map(({ name }) => name));
      const missing = expected.find((name) => !names.has(name));
      if (missing !== undefined) {
        const shown = JSON.stringify(missing.slice(0, 80));
        throw new SvcError(
          "checkpoint_refused",
          `Cannot read ${file}: it lacks ${shown}, which the index places there`,
        );
      }
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
    return { tensors: [...tensors.values()], files: [...files.keys()], index, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function whyUnreadable(file: string, { code, message }: Error & { readonly code?: string }): string {
  return code === "ENOENT" ? `its file ${file} is missing, expected every file that the index names` : message;
}

async function openTensorSource(file: string, source: ByteSource, part: string | undefined): Promise<TensorSource> {
  const head = await source.read(0, Math.min(GIT_LFS.length, source.size));
  if (new TextDecoder().decode(head) === GIT_LFS) {
    const problem = `Cannot read ${file}: it is a pointer of Git LFS, expected the file itself: run "git lfs pull"`;
    throw new SvcError("checkpoint_refused", problem);
  }
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

interface FoundFiles {
  /** Each with the tensors that it must have. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly index: string | undefined;
}

async function findFiles(path: string): Promise<FoundFiles> {
  const refuse = (problem: string) => new SvcError("unsuitable_files", `Cannot convert ${path}: ${problem}`);
  const info = await stat(path).catch(() => undefined);
  const single = (file: string) => ({ files: new Map([[file, []]]), index: undefined });
  const sharded = async (index: string) => ({ files: await readShardIndex(index), index });
  if (info?.isFile()) return INDEX.test(path) ? await sharded(path) : single(path);
  if (!info?.isDirectory()) throw refuse("it does not exist, expected a checkpoint, an index of shards or a folder");
  const names = await readdir(path);
  const indices = names.filter((name) => INDEX.test(name));
  if (indices.length === 1) return await sharded(join(path, indices[0]));
  const weights = names.filter((name) => WEIGHTS.test(name));
  if (indices.length === 0 && weights.length === 1) return single(join(path, weights[0]));
  throw refuse(`it has ${weights.length} files of weights and ${indices.length} indices, expected one; name the file`);
}
