/**
 * The GGUF file of a model.
 *
 * @module
 */
import type { ModelFiles } from "../files/model_files.ts";

const PART = /-(\d{5})-of-(\d{5})\.gguf$/;

/**
 * The file to open a model by: for a split model its first part. Undefined when there is no GGUF file.
 *
 * @throws {Error} when there are several models, or parts are missing.
 */
export function findGgufFile({ names }: ModelFiles): string | undefined {
  // Image projectors are stored beside their model.
  const found = names.filter((name) => name.endsWith(".gguf") && !/mmproj[^/]*$/i.test(name));
  const models = new Set(found.map((name) => name.replace(PART, "")));
  if (models.size > 1) {
    throw new Error(`Cannot open the model: it has the files ${found.join(", ")}, expected one model, choose one file`);
  }
  const parts = Number(PART.exec(found[0] ?? "")?.[2] ?? 1);
  if (found.length > 0 && found.length !== parts) {
    throw new Error(
      `Cannot open the model: it has ${found.length} of ${parts} parts, expected all: ${found.join(", ")}`,
    );
  }
  return found.toSorted()[0];
}
