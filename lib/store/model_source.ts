/**
 * Models named by their path.
 *
 * @module
 */
import { readdir, stat } from "../platform/files/file_system.ts";
import { basename, dirname, join, resolve } from "../platform/files/paths.ts";
import { listFiles } from "../platform/files/find_files.ts";
import { projectorOf } from "./catalog/projectors.ts";
import { isGgufBlob } from "./gguf_blob.ts";
import { SvcError } from "../errors/svc_error.ts";

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
