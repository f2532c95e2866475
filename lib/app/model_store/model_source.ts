/**
 * Models named by their path.
 *
 * @module
 */
import { readdir, stat } from "../../platform/files/file_system.ts";
import { basename, dirname, resolve } from "../../platform/files/paths.ts";
import { listFiles } from "../../platform/files/folders/list_files.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** The location of a model's files. */
export interface ModelSource {
  /** Absolute path of the folder that the other paths are relative to. */
  readonly folder: string;
  /** Files that may belong to the model. */
  readonly paths: readonly string[];
}

/**
 * Resolves a folder, or a `.gguf` file with its other parts.
 *
 * @param verb What is to be done with it, for the error sentence.
 * @throws {SvcError} `unsuitable_files` when it is neither.
 */
export async function readModelSource(path: string, verb: string): Promise<ModelSource> {
  const place = resolve(path);
  const info = await stat(place).catch(() => undefined);
  if (info?.isDirectory()) return { folder: place, paths: await listFiles(place) };
  if (info?.isFile() && /\.gguf$/i.test(place)) {
    const folder = dirname(place);
    const [, whole] = /^(.*)-\d{5}-of-\d{5}\.gguf$/i.exec(basename(place)) ?? [];
    if (whole === undefined) return { folder, paths: [basename(place)] };
    const parts = (await readdir(folder)).filter((one) => one.startsWith(`${whole}-`));
    return { folder, paths: parts };
  }
  const problem = info === undefined
    ? "it does not exist"
    : info.isFile() && info.size === 0
    ? "it is empty"
    : "it is neither a folder nor a .gguf file";
  throw new SvcError(
    "unsuitable_files",
    `Cannot ${verb} ${path}: ${problem}, expected a folder in Hugging Face layout or a .gguf file`,
  );
}
