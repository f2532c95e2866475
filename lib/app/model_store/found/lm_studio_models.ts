/**
 * Models of LM Studio.
 *
 * @module
 */
import { isProjector } from "../../../engines/files/projector_files.ts";
import { readdir } from "../../../platform/files/file_system.ts";
import { listFiles } from "../../../platform/files/folders/list_files.ts";
import { join } from "../../../platform/files/paths.ts";
import { type FoundFiles, MAX_FOUND } from "./found_files.ts";

/**
 * GGUF files below `PUBLISHER/REPOSITORY`, which may be links to folders elsewhere; of a model in parts the first;
 * projectors of images are added with their models.
 *
 * @param folder Such as `~/.lmstudio/models`.
 */
export async function findLmStudioModels(folder: string): Promise<FoundFiles[]> {
  const paths: string[] = [];
  for (const publisher of await names(folder)) {
    for (const repository of await names(join(folder, publisher))) {
      // A folder that cannot be read, or is no model's, does not hide the others.
      const below = await listFiles(join(folder, publisher, repository)).catch(() => [] as readonly string[]);
      paths.push(...below.map((path) => `${publisher}/${repository}/${path}`));
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

async function names(folder: string): Promise<string[]> {
  const found = await readdir(folder).catch(() => [] as string[]);
  return found.filter((name) => !name.startsWith(".")).sort().slice(0, MAX_FOUND);
}
