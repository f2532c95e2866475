/**
 * Which pieces a vision encoder sees of a picture.
 *
 * @module
 */
import type { ImageRecipe, PictureSize } from "./image_recipe.ts";

/** Pieces of a picture. */
export interface ImagePlan {
  /** What the picture is stretched to, one after the other. */
  readonly sizes: readonly PictureSize[];
  /** Squares on top of each other and beside each other; both 0 when only the whole picture is seen. */
  readonly rows: number;
  readonly columns: number;
}

/**
 * Plans the pieces of a picture.
 *
 * @param whole Whether the whole picture is enough, where a recipe would cut it into squares.
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
  // Idefics3 (Laurençon et al. 2024): the longer side to a multiple of the square's, the other one after it.
  const aspect = scaled.width / scaled.height;
  const wide = scaled.width >= scaled.height;
  const long = Math.ceil((wide ? scaled.width : scaled.height) / tile);
  const short = Math.ceil(Math.floor(long * tile * (wide ? 1 / aspect : aspect)) / tile);
  const [columns, rows] = wide ? [long, Math.max(short, 1)] : [Math.max(short, 1), long];
  if (columns === 1 && rows === 1) return square;
  return { sizes: [scaled, { width: columns * tile, height: rows * tile }], rows, columns };
}

/** The largest size with the proportions of the picture that the edges allow. */
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
