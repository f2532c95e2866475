/**
 * Models of LM Studio.
 *
 * @module
 */
import { isProjector } from "../../../engines/files/projector_files.ts";
import { listFiles } from "../../../platform/files/folders/list_files.ts";
import { join } from "../../../platform/files/paths.ts";
import { type FoundFiles, MAX_FOUND } from "./found_files.ts";

/**
 * GGUF files below `PUBLISHER/REPOSITORY`; of a model in parts the first; projectors of images are added with
 * their models.
 *
 * @param folder Such as `~/.lmstudio/models`.
 */
export async function findLmStudioModels(folder: string): Promise<FoundFiles[]> {
  const paths = await listFiles(folder).catch(() => [] as readonly string[]);
  return paths.filter((path) => {
    const [, part] = /-(\d{5})-of-\d{5}\.gguf$/i.exec(path) ?? [];
    return /\.gguf$/i.test(path) && !isProjector(path) && (part === undefined || Number(part) === 1);
  }).slice(0, MAX_FOUND).map((path) => ({
    origin: "lm studio",
    name: path.replace(/(-\d{5}-of-\d{5})?\.gguf$/i, ""),
    path: join(folder, ...path.split("/")),
  }));
}
