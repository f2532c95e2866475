/**
 * Images for the library that reads them.
 *
 * @module
 */
import { joinBytes } from "../../../media/images/bytes.ts";
import { resizeImage } from "../../../media/images/resize_image.ts";
import type { RgbImage } from "../../../media/images/rgb_image.ts";
import { decodeChatImage } from "../../text/decode_chat_image.ts";
import type { PromptImage } from "../../contract/language_model.ts";

/** A decoded image. */
export interface PreparedImage {
  readonly width: number;
  readonly height: number;
  /** Its pixels as a PPM file. */
  readonly file: Uint8Array;
  /** Equal for equal pixels alone. */
  readonly key: string;
}

/** More pixels than any model looks at. */
const MAX_PIXELS = 2048 ** 2;

/** Longest side with `detail: "low"`. */
const LOW_SIDE = 512;

/**
 * Decodes an image, within its bounds, and makes a plain file of it: no byte of a client's file reaches native code.
 *
 * @throws {SvcError} `invalid_image` if it is not an image or too large.
 */
export async function prepareImage({ bytes, detail }: PromptImage): Promise<PreparedImage> {
  const { width, height, data } = fitted(await decodeChatImage(bytes), detail === "low");
  const file = joinBytes([new TextEncoder().encode(`P6\n${width} ${height}\n255\n`), data]);
  return { width, height, file, key: new Uint8Array(await crypto.subtle.digest("SHA-256", file)).join(" ") };
}

function fitted(image: RgbImage, low: boolean): RgbImage {
  const { width, height } = image;
  const longest = low ? LOW_SIDE / Math.max(width, height) : 1;
  const factor = Math.min(1, longest, Math.sqrt(MAX_PIXELS / (width * height)));
  if (factor === 1) return image;
  const scaled = (side: number): number => Math.max(1, Math.floor(side * factor));
  return resizeImage(image, scaled(width), scaled(height), "cubic");
}
