/**
 * Pulls models from the hub.
 *
 * @module
 */
import { mkdir, readdir, rename, rm, stat } from "../platform/files/file_system.ts";
import { dirname, join } from "../platform/files/paths.ts";
import { CATALOG, type CatalogModel } from "./catalog/catalog.ts";
import { chooseFiles } from "./catalog/choose_files.ts";
import { detectModel } from "./catalog/detect_model.ts";
import {
  type HubFile,
  type HubRepository,
  isRepositoryName,
  licenseName,
  needsAcceptance,
} from "./catalog/hub_repository.ts";
import { type ChosenForm, inForm, type ModelForm } from "./catalog/model_form.ts";
import type { InstalledModel, ModelFile } from "./catalog/installed_model.ts";
import { checkModelId, idOfRepository } from "./catalog/model_id.ts";
import { closestWord } from "../errors/closest_word.ts";
import { show } from "../errors/show.ts";
import { SvcError } from "../errors/svc_error.ts";
import { FolderLockedError } from "../errors/option_error.ts";
import { lockFolder } from "../platform/locks/lock_file.ts";
import { openModelFolder } from "./model_folder.ts";
import { explainFiles } from "./explain_files.ts";
import { checkTensorFiles } from "./check_files.ts";
import { makeInStore, type ModelStore } from "./model_store.ts";
import { convertTensors } from "./convert/convert_tensors.ts";
import { hashFile } from "../platform/files/hash_file.ts";
import { downloadFile, type DownloadOptions, GOES_ON } from "./download_file.ts";
import { diskError } from "../platform/files/disk_error.ts";
import { diskReason } from "../platform/files/disk_reason.ts";
import { freeBytes } from "../platform/files/find_files.ts";
import { checkSpace } from "./free_space.ts";
import type { Hub } from "./hub.ts";
import { isWeights, PREVIEWED_BYTES, previewModel } from "./preview_model.ts";
import { catalogWorld } from "./worlds/world_catalog.ts";
import { profileReaders } from "./profile_readers.ts";
import { checkFree, commitModel, openStaging } from "./staging.ts";

/** What to pull, and how. */
export interface PullOptions {
  /** A catalog id, or a repository such as `onnx-community/Qwen3-0.6B-ONNX`. */
  readonly name: string;
  readonly revision?: string | undefined;
  readonly quantization?: string | undefined;
  /** The catalog's id or the repository's own name, by default. */
  readonly id?: string | undefined;
  /** Which form of a model of the catalog; its own by default. */
  readonly form?: ModelForm | undefined;
}

/** What a name refers to. */
export interface PullTarget {
  readonly repository: string;
  readonly id: string;
  /** Undefined for a repository outside the catalog. */
  readonly entry: CatalogModel | undefined;
}

/** What a pull will do. */
export interface PullPlan {
  readonly id: string;
  readonly repository: HubRepository;
  readonly files: readonly HubFile[];
  readonly bytes: number;
  /** SPDX identifier or the hub's name; undefined when the hub has none. */
  readonly license: string | undefined;
  /** Whether the license must be accepted. */
  readonly asks: boolean;
  readonly entry: CatalogModel | undefined;
  /** Why it takes this one of two forms; undefined where there is one, or where it was asked for. */
  readonly chosen?: ChosenForm | undefined;
}

/**
 * The repository that a name refers to, and the id of its model.
 *
 * @throws {SvcError} `model_not_found` for what is neither in the catalog nor a repository, or has another form only,
 * `invalid_id`.
 */
export function pullTarget({ name, id, form }: PullOptions): PullTarget {
  const listed = CATALOG.find((one) => one.id === name);
  const entry = listed && form ? inForm(listed, form) : listed;
  if (form !== undefined && entry === undefined) {
    const has = listed
      ? "the catalog has it in another form alone"
      : "it is not in the catalog, which has the forms of a model";
    throw new SvcError("model_not_found", `Cannot pull ${show(name)} as ${form}: ${has}`);
  }
  if (entry) return { repository: entry.repository, id: checkModelId(id ?? entry.id), entry };
  if (isRepositoryName(name)) {
    return { repository: name, id: id === undefined ? idOfRepository(name) : checkModelId(id), entry: undefined };
  }
  if (catalogWorld(name)) {
    throw new SvcError("model_not_found", `Cannot pull ${show(name)} here: it is a world, use svc model pull ${name}`);
  }
  const meant = closestWord(name, CATALOG.map((one) => one.id));
  const remedy = meant ? `did you mean ${meant}?` : "expected an id of svc model list, or OWNER/NAME of the hub";
  throw new SvcError("model_not_found", `Cannot pull ${show(name)}: the catalog has no such model, ${remedy}`);
}

/**
 * Determines what to pull, without downloading it.
 *
 * @throws {SvcError} `model_not_found`, `invalid_id`, `repository_unavailable`, `unsuitable_files`.
 */
export async function planPull(hub: Hub, options: PullOptions, signal: AbortSignal): Promise<PullPlan> {
  const { id, repository: name, entry } = pullTarget(options);
  const repository = await hub.describe(name, options.revision ?? entry?.revision ?? "main", signal);
  const quantization = options.quantization ?? entry?.quantization;
  const { paths } = entry?.checkpoint === undefined
    ? chooseFiles(repository.files.map(({ path }) => path), quantization, name)
    : { paths: [findCheckpoint(repository, entry.checkpoint)] };
  const byPath = new Map(repository.files.map((file) => [file.path, file]));
  const files = paths.map((path) => byPath.get(path)).filter((file) => file !== undefined);
  const license = repository.license ?? entry?.license;
  return {
    ...{ id, entry, repository, files },
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    license: license === undefined ? undefined : licenseName(license),
    asks: needsAcceptance(license, repository.gated),
  };
}

/**
 * Downloads a model into the store, where it appears completely or not at all. An interrupted download is resumed.
 *
 * @param replace Whether a model of this id may be there already; it goes when the new one is complete.
 * @throws {SvcError} `already_installed`, `disk_full`, `corrupt_download`, `repository_unavailable`,
 * `unsuitable_files`.
 * @throws the reason of `signal` when it aborts.
 */
export async function downloadPlan(
  store: ModelStore,
  hub: Hub,
  { id, repository, files, bytes, license, entry }: PullPlan,
  options: DownloadOptions,
  replace: boolean,
): Promise<InstalledModel> {
  store.checkWritable();
  await checkFree(store, "pull", id, replace);
  const key = `${repository.name.replace("/", "--")}@`;
  const folder = join(store.layout.downloads, `${key}${repository.commit}`);
  await makeInStore(store.layout, folder);
  const lock = await lockFolder(folder).catch((error) => {
    if (!(error instanceof FolderLockedError)) throw error;
    throw new SvcError(
      "repository_unavailable",
      `Cannot pull ${repository.name}: another process is pulling it, wait until it has finished`,
    );
  });
  const work = async (): Promise<InstalledModel> => {
    const there = await Promise.all(files.map(({ path }) => sizeOf(join(folder, path))));
    const missing = files.reduce((sum, file, i) => sum + Math.max(0, file.bytes - there[i]), 0);
    checkSpace(`pull ${repository.name}`, missing, await freeBytes(folder));
    const recorded: ModelFile[] = [];
    const [weights, others] = [true, false].map((wanted) => files.filter(({ path }) => isWeights(path) === wanted));
    for (const file of others) recorded.push(await downloadFile(hub, repository, file, folder, options));
    const heavy = weights.reduce((sum, file) => sum + file.bytes, 0) >= PREVIEWED_BYTES;
    if (heavy && entry?.checkpoint === undefined) {
      await previewModel(hub, repository, files, folder, entry?.task, options.signal);
    }
    for (const file of weights) recorded.push(await downloadFile(hub, repository, file, folder, options));
    recorded.sort((a, b) => a.path < b.path ? -1 : 1);
    const converted = entry?.checkpoint === undefined
      ? undefined
      : await convertCheckpoint(folder, entry.checkpoint, options);
    const kept = converted ? [converted] : recorded;
    const source = openModelFolder(folder, kept.map(({ path }) => path));
    await checkTensorFiles(source);
    const { task, profile } = await detectModel(source, entry?.task, profileReaders, repository.name, explainFiles);
    const staging = await openStaging(store);
    try {
      for (const { path } of kept) {
        const target = join(staging.folder, path);
        await mkdir(dirname(target), { recursive: true });
        await rename(source.path(path), target);
      }
      return await commitModel(store, "pull", staging, {
        ...{ id, task, files: kept, bytes: converted?.bytes ?? bytes, installedAt: new Date().toISOString() },
        source: { repository: repository.name, revision: repository.commit },
        ...(license === undefined ? {} : { license }),
        profile,
      }, { replace });
    } finally {
      await staging.discard();
    }
  };
  const installed = await work().catch(async (error) => {
    // What no engine can use is of no use later either.
    if (!isTransient(error, options.signal)) await rm(folder, { recursive: true, force: true });
    throw diskError(error, `Cannot pull ${repository.name} into ${store.layout.folder}`, GOES_ON);
  }).finally(() => lock.release());
  await removeDownloads(store, key);
  return installed;
}

/** Whether another pull may succeed; it resumes what has been downloaded. */
function isTransient(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted || diskReason(error) !== undefined) return true;
  return error instanceof SvcError && error.code !== "unsuitable_files" && error.code !== "template_invalid";
}

/** The path of a checkpoint that the catalog names. */
function findCheckpoint({ files, name }: HubRepository, path: string): string {
  if (files.some((file) => file.path === path)) return path;
  throw new SvcError("unsuitable_files", `Cannot use ${name}: it has no ${path}, expected it in this revision`);
}

/** Turns a downloaded checkpoint into safetensors beside it; an earlier result for the same file is reused. */
async function convertCheckpoint(
  folder: string,
  checkpoint: string,
  { onTransfer, signal }: DownloadOptions,
): Promise<ModelFile> {
  const path = "model.safetensors";
  const output = join(folder, path);
  await convertTensors({ source: join(folder, checkpoint), output }, onTransfer, signal);
  const { bytes, sha256 } = await hashFile(output, () => {}, signal);
  return { path, bytes, sha256 };
}

/** Removes the partial downloads of all commits of a repository, unless another process uses them. */
async function removeDownloads(store: ModelStore, key: string): Promise<void> {
  for (const name of await readdir(store.layout.downloads)) {
    if (!name.startsWith(key)) continue;
    const folder = join(store.layout.downloads, name);
    try {
      const lock = await lockFolder(folder);
      await rm(folder, { recursive: true, force: true });
      await lock.release();
    } catch (error) {
      if (!(error instanceof FolderLockedError)) throw error;
    }
  }
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then((info) => info.size, () => 0);
}
