/**
 * Which projector belongs to which GGUF model.
 *
 * @module
 */
import { bestProjector } from "../../engines/files/projector_files.ts";
import { ggufVariants } from "./weight_variants.ts";

/**
 * The projector of a GGUF model among the files around it: it lies in the model's folder. Where several models do, it
 * has the name of its model.
 */
export function projectorOf(model: string, paths: readonly string[]): string | undefined {
  const folder = folderOf(model);
  const near = paths.filter((path) => folderOf(path) === folder);
  const stem = stemOf(model);
  const alone = ggufVariants(near).every((variant) => stemOf(variant.paths[0]) === stem);
  return bestProjector(alone ? near : near.filter((path) => nameOf(path).toLowerCase().includes(stem)));
}

/** The name of a model without its quantization, part and ending. */
function stemOf(path: string): string {
  const whole = nameOf(path).toLowerCase().replace(/(-\d{5}-of-\d{5})?\.gguf$/, "");
  return whole.replace(/[-._](ud[-._])?(i?q\d\w*|bf16|f16|f32|mxfp4\w*)$/, "");
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
