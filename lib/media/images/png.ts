/**
 * Writes PNG.
 *
 * @module
 */
import { crc32, joinBytes } from "./bytes.ts";
import { checkPixels, type RgbImage } from "./rgb_image.ts";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const FILTER_UP = 2;

/**
 * Writes a PNG (RGB, 8 bits, not interlaced). Equal images give equal bytes on the same runtime; between runtimes
 * the bytes may differ as their deflate does, the pixels never. PNG specification (third edition), sections 5 and 9.
 *
 * @example
 * ```ts
 * import { encodePng } from "@svc/sdk/media";
 * const png = await encodePng({ width: 2, height: 1, data: new Uint8Array([255, 0, 0, 0, 0, 255]) });
 * console.assert(png[1] === "P".charCodeAt(0));
 * ```
 *
 * @param options `text` is texts by keyword, such as the prompt that an image was made from. Keywords are 1 to 79
 * characters of Latin-1.
 * @throws {RangeError} when the data does not fit the size, or a keyword is invalid.
 */
export async function encodePng(
  image: RgbImage,
  { text = {} }: { readonly text?: Readonly<Record<string, string>> | undefined } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  checkPixels(image);
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, image.width);
  view.setUint32(4, image.height);
  header.set([8, 2], 8); // 8 bits, truecolor; then deflate, adaptive filters, no interlace: all 0
  return joinBytes([
    new Uint8Array(SIGNATURE),
    pngChunk("IHDR", header),
    ...Object.entries(text).map(textChunk),
    pngChunk("IDAT", await deflate(filterUp(image))),
    pngChunk("IEND", new Uint8Array(0)),
  ]);
}

/** A text in UTF-8, not compressed, in no stated language: PNG specification, section 11.3.3.4. */
function textChunk([keyword, text]: readonly [string, string]): Uint8Array {
  if (
    !/^[\x21-\x7e\xa1-\xff]([\x20-\x7e\xa1-\xff]{0,77}[\x21-\x7e\xa1-\xff])?$/.test(keyword) || keyword.includes("  ")
  ) {
    throw new RangeError(
      `Cannot write PNG: the keyword ${JSON.stringify(keyword)} is invalid, expected 1 to 79 characters of Latin-1`,
    );
  }
  const latin1 = Uint8Array.from(keyword, (c) => c.charCodeAt(0));
  // A null character would end the text.
  const content = new TextEncoder().encode(text.replaceAll("\0", ""));
  return pngChunk("iTXt", joinBytes([latin1, new Uint8Array(5), content]));
}

/**
 * Each row is stored as the difference to the row above: the best single filter for smooth images, and the cheapest.
 */
function filterUp({ width, height, data }: RgbImage): Uint8Array<ArrayBuffer> {
  const stride = width * 3;
  const rows = new Uint8Array(height * (stride + 1));
  for (let y = 0; y < height; y++) {
    const to = y * (stride + 1) + 1;
    const from = y * stride;
    rows[to - 1] = FILTER_UP;
    if (y === 0) rows.set(data.subarray(0, stride), to);
    else for (let x = 0; x < stride; x++) rows[to + x] = data[from + x] - data[from - stride + x];
  }
  return rows;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) chunk[4 + i] = type.charCodeAt(i);
  chunk.set(data, 8);
  view.setUint32(data.length + 8, crc32(chunk.subarray(4, data.length + 8)));
  return chunk;
}
