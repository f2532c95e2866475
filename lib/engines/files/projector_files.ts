/**
 * Projectors by their names: files beside GGUF models that turn images into vectors.
 *
 * @module
 */

/** Precisions in order of preference: more bits show nothing more, fewer save little, and few machines compute BF16. */
const precisions = ["f16", "q8_0", "bf16", "f32"];

/** Whether a file is a projector. */
export function isProjector(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.endsWith(".gguf") && name.includes("mmproj");
}

/** The best of the projectors of a model, which differ in their precision; undefined for none. */
export function bestProjector(paths: readonly string[]): string | undefined {
  const rank = (path: string): number => {
    const found = [...path.matchAll(/(?:^|[-._/])(BF16|F16|F32|I?Q\d\w*)(?=[-._])/gi)].at(-1)?.[1] ?? "";
    const at = precisions.indexOf(found.toLowerCase());
    return at < 0 ? precisions.length : at;
  };
  return paths.filter(isProjector).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0];
}
