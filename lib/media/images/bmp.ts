/**
 * Reads BMP, which libvips does not.
 *
 * @module
 */
import type { RgbImage } from "./rgb_image.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** The headers of a BMP. Masks and palette come from the file, or are derived from the depth. */
interface BmpHeader {
  readonly width: number;
  readonly height: number;
  /** Whether rows start at the top; the usual file starts at the bottom. */
  readonly topDown: boolean;
  /** Bits per pixel: 1, 4, 8 (palette), 16, 24 or 32. */
  readonly depth: number;
  /** Bits of red, green and blue within a pixel of 16 or 32. */
  readonly masks: readonly [number, number, number];
  /** Blue, green, red (and padding, except in the oldest version) per entry. */
  readonly palette: Uint8Array;
  readonly paletteStep: number;
  /** Offset of the rows. */
  readonly pixels: number;
}

const RGB = 0;
const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;

/** Width and height of a BMP, from its header alone. */
export function bmpSize(bytes: Uint8Array): { width: number; height: number } {
  const { width, height } = readHeader(bytes);
  return { width, height };
}

/**
 * Decodes an uncompressed BMP: 1, 4 and 8 bits with palette, 16, 24 and 32 bits with or without masks, rows upwards or
 * downwards, all header sizes since OS/2 1.x. Transparency is ignored: few writers fill that byte with sense.
 *
 * @throws {SvcError} `image_damaged` when cut off or contradictory, `image_unsupported` when run-length compressed.
 */
export function decodeBmp(bytes: Uint8Array): RgbImage {
  const header = readHeader(bytes);
  const { width, height, depth } = header;
  const stride = Math.ceil(width * depth / 32) * 4;
  if (header.pixels + stride * height > bytes.length) {
    throw damaged(`${bytes.length} bytes, expected ${header.pixels + stride * height} for ${width}x${height}`);
  }
  const data = new Uint8Array(width * height * 3);
  const decodeRow = depth <= 8 ? paletteRow : depth === 24 ? bgrRow : maskedRow;
  for (let y = 0; y < height; y++) {
    const from = header.pixels + (header.topDown ? y : height - 1 - y) * stride;
    decodeRow(bytes.subarray(from, from + stride), header, data.subarray(y * width * 3, (y + 1) * width * 3));
  }
  return { width, height, data };
}

function readHeader(bytes: Uint8Array): BmpHeader {
  if (bytes.length < 26) throw damaged(`${bytes.length} bytes, expected a header of at least 26`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(14, true);
  const old = size === 12; // OS/2 1.x: 16-bit sizes, palette without filler
  if (!old && (size < 40 || size > 4096)) throw damaged(`header of ${size} bytes, expected 12 or 40 to 4096`);
  const end = 14 + size;
  if (bytes.length < end) throw damaged(`${bytes.length} bytes, expected a header of ${end}`);
  const width = old ? view.getUint16(18, true) : view.getInt32(18, true);
  const signedHeight = old ? view.getUint16(20, true) : view.getInt32(22, true);
  const depth = view.getUint16(old ? 24 : 28, true);
  const compression = old ? RGB : view.getUint32(30, true);
  const height = Math.abs(signedHeight);
  if (width <= 0 || height === 0) throw damaged(`size ${width}x${signedHeight}, expected positive numbers`);
  if (![1, 4, 8, 16, 24, 32].includes(depth)) throw damaged(`${depth} bits per pixel, expected 1, 4, 8, 16, 24 or 32`);
  const masked = compression === BITFIELDS || compression === ALPHA_BITFIELDS;
  if (compression !== RGB && !(masked && (depth === 16 || depth === 32))) {
    throw new SvcError(
      "image_unsupported",
      `Cannot decode BMP image: compression ${compression} at ${depth} bits per pixel, expected an uncompressed one`,
    );
  }
  // Masks follow the header of 40 bytes and are part of all longer ones: the same offset.
  const afterMasks = masked ? Math.max(end, 66) : end;
  const paletteStep = old ? 3 : 4;
  const pixels = view.getUint32(10, true);
  if (pixels < afterMasks || pixels > bytes.length) {
    throw damaged(`pixels at byte ${pixels}, expected ${afterMasks} to ${bytes.length}`);
  }
  const entries = depth > 8 ? 0 : Math.min(2 ** depth, Math.floor((pixels - end) / paletteStep));
  return {
    width,
    height,
    topDown: signedHeight < 0,
    depth,
    masks: masked
      ? [view.getUint32(54, true), view.getUint32(58, true), view.getUint32(62, true)]
      : depth === 16
      ? [0x7c00, 0x3e0, 0x1f]
      : [0xff0000, 0xff00, 0xff],
    palette: bytes.subarray(end, end + entries * paletteStep),
    paletteStep,
    pixels,
  };
}

function paletteRow(row: Uint8Array, { depth, palette, paletteStep }: BmpHeader, out: Uint8Array): void {
  const perByte = 8 / depth;
  for (let x = 0; x * 3 < out.length; x++) {
    const shift = 8 - depth * (x % perByte + 1);
    const entry = ((row[Math.floor(x / perByte)] >> shift) & (2 ** depth - 1)) * paletteStep;
    if (entry >= palette.length) {
      throw damaged(`color ${entry / paletteStep} is used, the palette has ${palette.length / paletteStep}`);
    }
    for (let c = 0; c < 3; c++) out[x * 3 + c] = palette[entry + 2 - c];
  }
}

function bgrRow(row: Uint8Array, _: BmpHeader, out: Uint8Array): void {
  for (let i = 0; i < out.length; i += 3) {
    out[i] = row[i + 2];
    out[i + 1] = row[i + 1];
    out[i + 2] = row[i];
  }
}

function maskedRow(row: Uint8Array, { depth, masks }: BmpHeader, out: Uint8Array): void {
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  for (let x = 0; x * 3 < out.length; x++) {
    const pixel = depth === 16 ? view.getUint16(x * 2, true) : view.getUint32(x * 4, true);
    for (let c = 0; c < 3; c++) {
      const mask = masks[c];
      const shift = 31 - Math.clz32(mask & -mask);
      out[x * 3 + c] = mask === 0 ? 0 : Math.round(((pixel & mask) >>> shift) * 255 / (mask >>> shift));
    }
  }
}

function damaged(what: string): SvcError {
  return new SvcError("image_damaged", `Cannot decode BMP image: ${what}`);
}
