import type { StartCheck } from "./wire.ts";

/** Says that a model was not made for the like of a picture; undefined where it was, or where it cannot tell. */
export function unknownPlace(model: string, { madeFor, distance }: StartCheck): string | undefined {
  if (madeFor === undefined || distance === undefined || distance <= 1) return undefined;
  return `${model} was made for ${madeFor} only, and this picture is unlike them (${distance.toFixed(1)}, where 1 is ` +
    "the limit): the walk will look like one of those, not like the picture";
}
