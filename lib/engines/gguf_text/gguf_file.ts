/**
 * The GGUF file of a model.
 *
 * @module
 */
import type { ModelFiles } from "../files/model_files.ts";

const PART = /-(\d{5})-of-(\d{5})\.gguf$/;

/**
 * The file that the model is opened by: of a model in parts the first one. Undefined when there is no GGUF file.
 *
 * @throws {Error} when several models are there, or parts of one are missing.
 */
export function findGgufFile({ names }: ModelFiles): string | undefined {
  // Projectors of images lie beside the model that they belong to.
  const found = names.filter((name) => name.endsWith(".gguf") && !/(^|\/)mmproj[^/]*$/.test(name));
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
