/**
 * Projectors: files beside GGUF models that turn images into vectors.
 *
 * @module
 */
import { ggufVariants } from "./weight_variants.ts";

/** Precisions in order of preference: more bits show nothing more, fewer save little, and few machines compute BF16. */
const precisions = ["f16", "q8_0", "bf16", "f32"];

/** Whether a file is a projector, by its name. */
export function isProjector(path: string): boolean {
  return /\.gguf$/i.test(path) && /mmproj/i.test(nameOf(path));
}

/** The best of the projectors of a model, which differ in their precision; undefined for none. */
export function bestProjector(paths: readonly string[]): string | undefined {
  const rank = (path: string): number => {
    const [, found = ""] =
      /(?:^|[-._])(BF16|F16|F32|I?Q\d\w*)(?=[-._]|$)/i.exec(nameOf(path).slice(0, -".gguf".length)) ??
        [];
    const at = precisions.indexOf(found.toLowerCase());
    return at < 0 ? precisions.length : at;
  };
  return paths.filter(isProjector).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0];
}

/**
 * The projector of a GGUF model among the files around it. It lies in the folder of the model. Where several models do,
 * it has the name of its model.
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
