import type { ModelStart } from "./model_files.ts";
import type { StartCheck } from "./wire.ts";

/** Says that a model was not made for the like of a picture; undefined where it was, or where it cannot tell. */
export function unknownPlace(model: string, { madeFor, distance }: StartCheck): string | undefined {
  if (madeFor === undefined || distance === undefined || distance <= 1) return undefined;
  return `${model} was made for ${madeFor} only, and this picture is unlike them (${distance.toFixed(1)}, where 1 is ` +
    "the limit): the walk will look like one of those, not like the picture";
}

/** The prompt of a picture that comes with a model; undefined for any other. */
export async function promptOfPicture(
  { image, prompt, places = [] }: ModelStart,
  picture: Uint8Array,
): Promise<string | undefined> {
  for (const place of [{ prompt, read: () => Promise.resolve(image) }, ...places]) {
    const own = await place.read();
    if (own.length === picture.length && own.every((byte, i) => byte === picture[i])) return place.prompt;
  }
  return undefined;
}
