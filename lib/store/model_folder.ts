/**
 * Files of models on disk: in the store, in place, and as blobs of other programs.
 *
 * @module
 */
import { basename, dirname, join, resolve } from "../platform/files/paths.ts";
import { readdir, readFile, stat } from "../platform/files/file_system.ts";
import type { ModelFiles } from "../engines/contract/engine_entry.ts";
import { readPart } from "../platform/files/read_part.ts";
import { findOllamaProjector } from "./found/ollama_models.ts";
import { chooseFiles, projectorOf } from "./catalog/choose_files.ts";
import { detectModel } from "./catalog/detect_model.ts";
import type { InstalledModel } from "./catalog/installed_model.ts";
import { idOfRepository } from "./catalog/model_id.ts";
import { profileReaders } from "./profile_readers.ts";
import { listFiles } from "../platform/files/find_files.ts";
import { SvcError } from "../errors/svc_error.ts";

/**
 * The files `names` of a folder; other files in it are ignored.
 *
 * @example
 * ```ts ignore
 * const files = openModelFolder(model.folder, model.files.map((file) => file.path));
 * ```
 */
export function openModelFolder(folder: string, names: readonly string[]): ModelFiles {
  const path = (name: string) => join(folder, name);
  return {
    names,
    path,
    read: (name) => named(name, async () => new Uint8Array(await readFile(path(name)))),
    readPart: (name, start, length) => named(name, () => readPart(path(name), start, length)),
  };
}

/** Linked models are in places where others may remove files. */
async function named<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (!gone.includes((cause as { code?: unknown }).code)) throw cause;
    throw new Error(`Cannot read ${name}: it is missing, put it back, or remove the model and add it again`, { cause });
  }
}

/** What systems call a file that is not there, or a link to nowhere or in a circle. */
const gone: readonly unknown[] = ["ENOENT", "ENOTDIR", "ELOOP"];

/** The names that such files get. */
const BLOB_NAME = "model.gguf";
const PROJECTOR_NAME = "mmproj.gguf";

const MAGIC = "GGUF";

/** Whether a path is such a file, by its first bytes. */
export async function isGgufBlob(path: string): Promise<boolean> {
  if (/\.(gguf|whl)$/i.test(path)) return false;
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile() || info.size < MAGIC.length) return false;
  return new TextDecoder().decode(await readPart(path, 0, MAGIC.length)) === MAGIC;
}

/** The files of such a model: itself, and the projector of images that its store names with it. */
export async function blobFiles(path: string): Promise<ModelFiles> {
  const projector = await findOllamaProjector(path);
  const paths: Readonly<Record<string, string>> = {
    [BLOB_NAME]: path,
    ...projector === undefined ? {} : { [PROJECTOR_NAME]: projector },
  };
  return {
    names: Object.keys(paths),
    path: (name) => paths[name],
    read: async (name) => await readPart(paths[name], 0, (await stat(paths[name])).size),
    readPart: (name, start, length) => readPart(paths[name], start, length),
  };
}

/**
 * A folder in Hugging Face layout or a GGUF file as an installed model; its id is its name. Its files are not hashed.
 *
 * @throws {SvcError} `unsuitable_files` when what is there is of no model that an engine serves, or nothing is.
 */
export async function openLocalModel(path: string): Promise<InstalledModel> {
  const source = await readModelSource(path, "serve");
  const { paths } = chooseFiles(source.paths, undefined, path);
  const files = openModelFolder(source.folder, paths);
  const { task, profile } = await detectModel(files, undefined, profileReaders, path);
  const infos = await Promise.all(paths.map((name) => stat(files.path(name))));
  return {
    id: idOfRepository(basename(resolve(path)).replace(/\.gguf$/i, "")),
    task,
    folder: source.folder,
    files: paths.map((name, i) => ({ path: name, bytes: infos[i].size, sha256: "" })),
    bytes: infos.reduce((sum, { size }) => sum + size, 0),
    installedAt: new Date(Math.max(...infos.map(({ mtimeMs }) => mtimeMs))).toISOString(),
    ...(profile ? { profile } : {}),
  };
}

/** The location of a model's files. */
export interface ModelSource {
  /** Absolute path of the folder that the other paths are relative to. */
  readonly folder: string;
  /** Files that may belong to the model. */
  readonly paths: readonly string[];
}

/**
 * Resolves a folder, or a `.gguf` file with its other parts and its projector.
 *
 * @param verb What is to be done with it, for the error sentence.
 * @throws {SvcError} `unsuitable_files` when it is neither.
 */
export async function readModelSource(path: string, verb: string): Promise<ModelSource> {
  const place = resolve(path);
  const info = await stat(place).catch(() => undefined);
  if (info?.isDirectory()) return { folder: place, paths: await listFiles(place) };
  if (info?.isFile() && /\.gguf$/i.test(place)) {
    const [folder, name] = [dirname(place), basename(place)];
    const beside = await readdir(folder);
    const [whole, count] = partOf(name) ?? [];
    // Others may begin with the same name.
    const belongs = (one: string): boolean => partOf(one)?.join() === `${whole},${count}`;
    const parts = whole === undefined ? [name] : beside.filter(belongs);
    const projector = projectorOf(name, beside);
    const readable = projector && (await stat(join(folder, projector)).catch(() => undefined))?.isFile();
    return { folder, paths: readable ? [...parts, projector] : parts };
  }
  const problem = info === undefined
    ? "it does not exist"
    : info.isFile() && info.size === 0
    ? "it is empty"
    : await isGgufBlob(place)
    ? `it is a GGUF file without its ending, use it in place with "svc model add ${path} --id NAME --link"`
    : "it is neither a folder nor a .gguf file";
  throw new SvcError(
    "unsuitable_files",
    `Cannot ${verb} ${path}: ${problem}, expected a folder in Hugging Face layout or a .gguf file`,
  );
}

/** Of a file that is a part of a model, the model and the number of its parts. */
function partOf(name: string): [whole: string, count: string] | undefined {
  const [, whole, count] = /^(.*)-\d{5}-of-(\d{5})\.gguf$/i.exec(name) ?? [];
  return whole === undefined ? undefined : [whole, count];
}
