/**
 * Models that people name by their path.
 *
 * @module
 */
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { listFiles } from "./list_files.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** Where the files of a model lie. */
export interface ModelSource {
  /** Absolute path of the folder that the others are relative to. */
  readonly folder: string;
  /** Files that may be the model's. */
  readonly paths: readonly string[];
}

/**
 * A folder, or a `.gguf` file with the parts that belong to it.
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
  const problem = info ? "it is no folder and no .gguf file" : "there is nothing of that name";
  throw new SvcError(
    "unsuitable_files",
    `Cannot ${verb} ${path}: ${problem}, expected a folder in Hugging Face layout or a .gguf file`,
  );
}
