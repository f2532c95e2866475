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
import { projectorOf } from "./catalog/choose_files.ts";
import { hubSnapshot } from "./found/local_caches.ts";
import { brokenLinks, listFiles } from "../platform/files/find_files.ts";
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

/** What systems call a file that does not exist, or a link to nowhere or in a circle. */
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

/** The location of a model's files. */
export interface ModelSource {
  /** Absolute path of the folder that the other paths are relative to. */
  readonly folder: string;
  /** Files that may belong to the model. */
  readonly paths: readonly string[];
}

/**
 * Resolves a folder, a repository in the cache of the hub, or a `.gguf` file with its other parts and its projector.
 *
 * @param verb What is to be done with it, for the error sentence.
 * @throws {SvcError} `unsuitable_files` when it is none of them.
 */
export async function readModelSource(path: string, verb: string): Promise<ModelSource> {
  const place = resolve(path);
  const info = await stat(place).catch(() => undefined);
  if (info?.isDirectory()) {
    const folder = await inCache(place) ?? place;
    const paths = await listFiles(folder);
    if (paths.length > 0 || (await brokenLinks(folder)).length > 0) return { folder, paths };
    throw unsuitable(verb, path, "it is an empty folder", EXPECTED);
  }
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
  throw unsuitable(verb, path, problem, expectedOf(place, info?.isFile() === true));
}

const EXPECTED = "expected a folder in Hugging Face layout or a .gguf file";

/** What to name instead of a file. */
function expectedOf(place: string, isFile: boolean): string {
  if (!isFile) return EXPECTED;
  const name = basename(place);
  if (/\.(tar|tgz|tar\.(gz|xz|bz2|zst)|rar|7z|gz)$/i.test(name)) return `${EXPECTED}: unpack it, and name its folder`;
  if (/\.(bin|pth?|ckpt|pkl)$/i.test(name)) return `${EXPECTED}: it is a PyTorch checkpoint, get ONNX or GGUF weights`;
  const isPart = /\.(json|onnx|ort|safetensors|model|txt|jinja|onnx_data(_\d+)?)$/i.test(name);
  return isPart ? `${EXPECTED}: ${name} is one file of a model, name the folder: ${dirname(place)}` : EXPECTED;
}

/** The files of a repository that the hub's library keeps, where the folder is one. */
async function inCache(folder: string): Promise<string | undefined> {
  const beside = await readdir(folder);
  const isRepository = beside.includes("snapshots") && (beside.includes("blobs") || beside.includes("refs"));
  return isRepository || isCachedRepository(basename(folder)) ? await hubSnapshot(folder) : undefined;
}

function isCachedRepository(name: string): boolean {
  return /^models--./.test(name);
}

/** The name of a folder, or of the repository whose snapshot it is. */
export function nameOfFolder(folder: string): string {
  const [, repository] = /[/\\]models--([^/\\]+)([/\\]snapshots([/\\][^/\\]+)?)?$/.exec(folder) ?? [];
  return repository?.replaceAll("--", "/") ?? basename(folder);
}

function unsuitable(verb: string, path: string, problem: string, expected: string): SvcError {
  return new SvcError("unsuitable_files", `Cannot ${verb} ${path}: ${problem}, ${expected}`);
}

/** Of a file that is a part of a model, the model and the number of its parts. */
function partOf(name: string): [whole: string, count: string] | undefined {
  const [, whole, count] = /^(.*)-\d{5}-of-(\d{5})\.gguf$/i.exec(name) ?? [];
  return whole === undefined ? undefined : [whole, count];
}
