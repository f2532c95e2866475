/**
 * Models of LM Studio.
 *
 * @module
 */
import { isProjector } from "../../engines/files/projector_files.ts";
import { readdir, realpath } from "../../platform/files/file_system.ts";
import { listFiles } from "../../platform/files/find_files.ts";
import { dirname, join } from "../../platform/files/paths.ts";
import { type FoundFiles, MAX_FOUND } from "./found_files.ts";

/**
 * GGUF files below `PUBLISHER/REPOSITORY`, which may be links to folders elsewhere; of a model in parts the first;
 * projectors of images are added with their models.
 *
 * @param folder Such as `~/.lmstudio/models`.
 */
export async function findLmStudioModels(folder: string): Promise<FoundFiles[]> {
  const around = foldersAround(await realpath(folder).catch(() => folder));
  const paths: string[] = [];
  for (const publisher of await foldersIn(folder, around)) {
    for (const repository of await foldersIn(publisher.path, around)) {
      // A folder that cannot be read, or is no model's, does not hide the others.
      const below = await listFiles(repository.path).catch(() => [] as readonly string[]);
      paths.push(...below.map((path) => `${publisher.name}/${repository.name}/${path}`));
    }
  }
  return paths.filter((path) => {
    const [, part] = /-(\d{5})-of-\d{5}\.gguf$/i.exec(path) ?? [];
    return /\.gguf$/i.test(path) && !isProjector(path) && (part === undefined || Number(part) === 1);
  }).slice(0, MAX_FOUND).map((path) => ({
    origin: "lm studio",
    name: path.replace(/(-\d{5}-of-\d{5})?\.gguf$/i, ""),
    path: join(folder, ...path.split("/")),
  }));
}

/** A folder and all that it lies in. */
function foldersAround(folder: string): Set<string> {
  const around = new Set<string>();
  for (let one = folder; !around.has(one); one = dirname(one)) around.add(one);
  return around;
}

/** What is in a folder, without links that lead back to a folder `around` all models, which would show them twice. */
async function foldersIn(folder: string, around: ReadonlySet<string>): Promise<{ name: string; path: string }[]> {
  const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => !name.startsWith(".")).sort();
  const found: { name: string; path: string }[] = [];
  for (const name of names.slice(0, MAX_FOUND)) {
    const path = join(folder, name);
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined && !around.has(real)) found.push({ name, path });
  }
  return found;
}
