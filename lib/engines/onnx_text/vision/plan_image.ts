/**
 * Plans the pieces of an image that a vision encoder processes.
 *
 * @module
 */
import type { ImageRecipe, PictureSize } from "./image_recipe.ts";

/** Pieces of an image. */
export interface ImagePlan {
  /** Sizes that the image is resized to, in order. */
  readonly sizes: readonly PictureSize[];
  /** Rows and columns of tiles; both 0 when only the whole image is used. */
  readonly rows: number;
  readonly columns: number;
}

/**
 * Plans the pieces of an image.
 *
 * @param whole Whether to use the whole image only, where a recipe would tile it.
 */
export function planImage(picture: PictureSize, recipe: ImageRecipe, whole: boolean): ImagePlan {
  const { size, tile } = recipe;
  const scaled = size === undefined
    ? picture
    : "width" in size
    ? size
    : proportional(picture, size, tile !== undefined);
  if (tile === undefined) return { sizes: [scaled], rows: 0, columns: 0 };
  const square = { sizes: [scaled, { width: tile, height: tile }], rows: 0, columns: 0 };
  if (whole) return square;
  // Idefics3 (Laurençon et al. 2024): the longer side becomes a multiple of the tile's, the other one follows it.
  const aspect = scaled.width / scaled.height;
  const wide = scaled.width >= scaled.height;
  const long = Math.ceil((wide ? scaled.width : scaled.height) / tile);
  const short = Math.ceil(Math.floor(long * tile * (wide ? 1 / aspect : aspect)) / tile);
  const [columns, rows] = wide ? [long, Math.max(short, 1)] : [Math.max(short, 1), long];
  if (columns === 1 && rows === 1) return square;
  return { sizes: [scaled, { width: columns * tile, height: rows * tile }], rows, columns };
}

/** The largest size with the image's aspect ratio that the edges allow. */
function proportional(
  { width, height }: PictureSize,
  { shortest, longest }: { readonly shortest: number | undefined; readonly longest: number | undefined },
  even: boolean,
): PictureSize {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const enlarged = shortest === undefined ? 1 : shortest / short;
  const reduced = longest === undefined ? enlarged : longest / long;
  const factor = shortest === undefined ? reduced : Math.min(enlarged, reduced);
  const side = (length: number): number => {
    // Such as 335.99999999999994, which stands for 336.
    const scaled = Math.max(1, Math.floor(Number((length * factor).toFixed(2))));
    return even && length !== long ? scaled + scaled % 2 : scaled;
  };
  return { width: side(width), height: side(height) };
}
