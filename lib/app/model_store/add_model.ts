/**
 * Adds local models to the store.
 *
 * @module
 */
import { mkdir, stat } from "../../platform/files/file_system.ts";
import { dirname, join } from "../../platform/files/paths.ts";
import { chooseFiles } from "../../api/store/choose_files.ts";
import { detectModel } from "../../api/store/detect_model.ts";
import type { InstalledModel, ModelFile, ModelTask } from "../../api/store/installed_model.ts";
import { checkModelId } from "../../api/store/model_id.ts";
import { openModelFolder } from "../models/model_folder.ts";
import type { ModelStore } from "./model_store.ts";
import { freeBytes } from "../../platform/files/free_bytes.ts";
import { checkSpace } from "./free_space.ts";
import { hashFile } from "../../platform/files/hash_file.ts";
import { readModelSource } from "./model_source.ts";
import { checkTextFiles } from "../../engines/text/check_text_files.ts";
import { profileReaders } from "./profile_readers.ts";
import { checkFree, commitModel, openStaging } from "./staging.ts";
import type { OnTransfer } from "./transfer_progress.ts";

/** What to add, and how. */
export interface AddOptions {
  /** A folder in Hugging Face layout, or a `.gguf` file. */
  readonly path: string;
  readonly id: string;
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
  { path, id, task, quantization, link = false }: AddOptions,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<InstalledModel> {
  checkModelId(id);
  await checkFree(store, "add", id, false);
  const source = await readModelSource(path, "add");
  const { paths } = chooseFiles(source.paths, quantization, path);
  const files = openModelFolder(source.folder, paths);
  const detected = await detectModel(files, task, profileReaders, path);
  if (detected.profile !== undefined) await checkTextFiles(files, detected.profile);
  const staging = await openStaging(store);
  try {
    const sizes = await Promise.all(paths.map(async (name) => (await stat(files.path(name))).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (!link) checkSpace(`add ${id}`, total, await freeBytes(staging.folder));
    const recorded: ModelFile[] = [];
    for (const [i, name] of paths.entries()) {
      const target = join(staging.folder, name);
      if (!link) await mkdir(dirname(target), { recursive: true });
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
      ...(detected.profile ? { profile: detected.profile } : {}),
    };
    return await commitModel(store, "add", staging, model, link ? { folder: source.folder } : {});
  } finally {
    await staging.discard();
  }
}
