import type { StartCheck } from "./wire.ts";

/** Says that a model was not made for the like of a picture; undefined where it was, or where it cannot tell. */
export function unknownPlace(model: string, { madeFor, distance }: StartCheck): string | undefined {
  if (madeFor === undefined || distance === undefined || distance <= 1) return undefined;
  return `${model} was made for ${madeFor} only, and this picture is ${
    distance.toFixed(1)
  } times as far from them as it ` +
    `can tell: the walk will look like ${madeFor}, not like the picture`;
}
