/**
 * The GGUF file of a model.
 *
 * @module
 */
import { isProjector } from "../files/projector_files.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";

/** What to do about a file that cannot be used. */
export const CHOOSE_ANOTHER = "download it again, or choose another file";

/** Files that an error names. */
const NAMED = 5;

const PART = /-(\d{5})-of-(\d{5})\.gguf$/i;

/**
 * The file to open a model by: for a split model its first part. Undefined when there is no GGUF file.
 *
 * @throws {Error} when there are several models, or parts are missing.
 */
export function findGgufFile({ names }: ModelFiles): string | undefined {
  const found = names.filter((name) => /\.gguf$/i.test(name) && !isProjector(name));
  const models = new Set(found.map((name) => name.replace(PART, "")));
  if (models.size > 1) {
    throw new Error(
      `Cannot open the model: it has the files ${first(found)}, expected one model: keep one of them in ` +
        "its folder",
    );
  }
  const parts = Number(PART.exec(found[0] ?? "")?.[2] ?? 1);
  if (found.length > 0 && found.length !== parts) {
    throw new Error(
      `Cannot open the model: it has ${found.length} of ${parts} parts (${first(found)}), expected all: download the ` +
        "others into the same folder",
    );
  }
  return found.toSorted()[0];
}

function first(names: readonly string[]): string {
  return names.slice(0, NAMED).join(", ") + (names.length > NAMED ? " and others" : "");
}
