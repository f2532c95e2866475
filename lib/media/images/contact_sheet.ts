/**
 * Many images on one.
 *
 * @module
 */
import { checkPixels, type RgbImage } from "./rgb_image.ts";

/** How a sheet is laid out. */
interface ContactSheetOptions {
  /** Images per row; default: all in one row. */
  readonly columns?: number;
  /** Pixels between the images and around them; default 4. */
  readonly gap?: number;
  /** Each pixel becomes a square of this many pixels; default 1. */
  readonly scale?: number;
  /** Shade of the gaps, 0 to 255; default 24. */
  readonly background?: number;
}

/**
 * Lays images of one size out in rows, first to last.
 *
 * @example
 * ```ts
 * import { contactSheet } from "./contact_sheet.ts";
 * const dot = { width: 1, height: 1, data: new Uint8Array([255, 255, 255]) };
 * const sheet = contactSheet([dot, dot, dot], { columns: 2, gap: 1, scale: 3 });
 * console.assert(sheet.width === 9 && sheet.height === 9);
 * ```
 *
 * @throws {RangeError} when there is no image, sizes differ, or an option is not a whole number in its range.
 */
export function contactSheet(images: readonly RgbImage[], options: ContactSheetOptions = {}): RgbImage {
  if (images.length === 0) {
    throw new RangeError("Cannot make contact sheet: there is no image, expected one or more");
  }
  const { columns = images.length, gap = 4, scale = 1, background = 24 } = options;
  checkWhole("columns", columns, 1, 65536);
  checkWhole("gap", gap, 0, 1024);
  checkWhole("scale", scale, 1, 64);
  checkWhole("background", background, 0, 255);
  const { width, height } = images[0];
  const across = Math.min(columns, images.length);
  const sheetWidth = across * (width * scale + gap) + gap;
  const sheetHeight = Math.ceil(images.length / columns) * (height * scale + gap) + gap;
  const data = new Uint8Array(sheetWidth * sheetHeight * 3).fill(background);
  for (const [i, image] of images.entries()) {
    checkPixels(image);
    if (image.width !== width || image.height !== height) {
      throw new RangeError(
        `Cannot make contact sheet: image ${i} is ${image.width}x${image.height}, expected ${width}x${height}`,
      );
    }
    const left = gap + (i % columns) * (width * scale + gap);
    const top = gap + Math.floor(i / columns) * (height * scale + gap);
    drawScaled(image, scale, data, (top * sheetWidth + left) * 3, sheetWidth * 3);
  }
  return { width: sheetWidth, height: sheetHeight, data };
}

/** Draws an image enlarged by whole pixels, its corner at byte `origin` of a canvas with rows of `stride` bytes. */
function drawScaled(image: RgbImage, scale: number, canvas: Uint8Array, origin: number, stride: number): void {
  const rowBytes = image.width * scale * 3;
  for (let y = 0; y < image.height; y++) {
    const row = origin + y * scale * stride;
    for (let x = 0; x < image.width; x++) {
      const pixel = (y * image.width + x) * 3;
      for (let i = 0; i < scale; i++) canvas.set(image.data.subarray(pixel, pixel + 3), row + (x * scale + i) * 3);
    }
    for (let i = 1; i < scale; i++) canvas.copyWithin(row + i * stride, row, row + rowBytes);
  }
}

function checkWhole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(
      `Cannot make contact sheet: ${name} is ${value}, expected a whole number from ${min} to ${max}`,
    );
  }
}
