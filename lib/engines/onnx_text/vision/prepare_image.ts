/**
 * Preprocesses images for a vision encoder: plans their pieces, then resizes, cuts and normalizes them.
 *
 * @module
 */
import { resizeImage } from "../../../media/images/resize_image.ts";
import type { RgbImage } from "../../../media/images/rgb_image.ts";
import { decodeChatImage } from "../../text/decode_chat_image.ts";
import type { PromptImage } from "../../contract/language_model.ts";
import type { ImageRecipe, ImageSize } from "./vision_layout.ts";

/** A piece of an image: `[3, height, width]`. */
export interface ImagePiece extends ImageSize {
  readonly data: Float32Array;
}

/** An image in pieces, row by row; if there are several, the last one is the whole image. */
interface PreparedImage {
  readonly rows: number;
  readonly columns: number;
  readonly pieces: readonly ImagePiece[];
}

/**
 * Decodes an image and tiles it. With `detail: "low"` only the whole image is used.
 *
 * @throws {SvcError} `invalid_image` if it is not an image or too large.
 */
export async function prepareImage({ bytes, detail }: PromptImage, recipe: ImageRecipe): Promise<PreparedImage> {
  const image = await decodeChatImage(bytes);
  const { sizes, rows, columns } = planImage(image, recipe, detail === "low");
  let stretched = image;
  for (const { width, height } of sizes) stretched = resizeImage(stretched, width, height, recipe.kernel);
  const { tile, crop } = recipe;
  if (tile === undefined || rows === 0) {
    const middle = crop === undefined ? stretched : cut(stretched, middleOf(stretched, crop), crop);
    return { rows, columns, pieces: [asPiece(middle, recipe)] };
  }
  const square = { width: tile, height: tile };
  const squares = Array.from({ length: rows * columns }, (_, i) => {
    const corner = { x: (i % columns) * tile, y: Math.floor(i / columns) * tile };
    return asPiece(cut(stretched, corner, square), recipe);
  });
  const whole = resizeImage(stretched, tile, tile, recipe.kernel);
  return { rows, columns, pieces: [...squares, asPiece(whole, recipe)] };
}

/** Pieces of an image. */
interface ImagePlan {
  /** Sizes that the image is resized to, in order. */
  readonly sizes: readonly ImageSize[];
  /** Rows and columns of tiles; both 0 when only the whole image is used. */
  readonly rows: number;
  readonly columns: number;
}

/**
 * Plans the pieces of an image.
 *
 * @param whole Whether to use the whole image only, where a recipe would tile it.
 */
export function planImage(image: ImageSize, recipe: ImageRecipe, whole: boolean): ImagePlan {
  const { size, tile } = recipe;
  const scaled = size === undefined ? image : "width" in size ? size : proportional(image, size, tile !== undefined);
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
  { width, height }: ImageSize,
  { shortest, longest }: { readonly shortest: number | undefined; readonly longest: number | undefined },
  even: boolean,
): ImageSize {
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

interface Corner {
  readonly x: number;
  readonly y: number;
}

function middleOf(image: ImageSize, crop: ImageSize): Corner {
  return { x: Math.floor((image.width - crop.width) / 2), y: Math.floor((image.height - crop.height) / 2) };
}

/** A part of an image; pixels beyond its edges are black. */
function cut(image: RgbImage, corner: Corner, { width, height }: ImageSize): RgbImage {
  const data = new Uint8Array(width * height * 3);
  const left = Math.max(0, -corner.x);
  const right = Math.min(width, image.width - corner.x);
  for (let y = Math.max(0, -corner.y); y < Math.min(height, image.height - corner.y); y++) {
    const start = (y + corner.y) * image.width + corner.x;
    data.set(image.data.subarray((start + left) * 3, (start + right) * 3), (y * width + left) * 3);
  }
  return { width, height, data };
}

function asPiece({ width, height, data }: RgbImage, { scale, mean, std }: ImageRecipe): ImagePiece {
  const pixels = width * height;
  const planes = new Float32Array(3 * pixels);
  for (let channel = 0; channel < 3; channel++) {
    // Bytes have 256 values: each is computed once.
    const values = Float32Array.from({ length: 256 }, (_, byte) => (byte * scale - mean[channel]) / std[channel]);
    for (let i = 0; i < pixels; i++) planes[channel * pixels + i] = values[data[3 * i + channel]];
  }
  return { width, height, data: planes };
}
