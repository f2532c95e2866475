/**
 * OpenEXR writing.
 *
 * @module
 */

/** One channel of an image: its name and one number per pixel. */
interface ExrChannel {
  /** Such as `Z` for depth. */
  readonly name: string;
  /** [H,W], row by row. */
  readonly data: Float32Array;
}

const MAGIC = 20000630;
const VERSION = 2;
const ZIP_COMPRESSION = 3;
const ZIP_ROWS = 16;
const FLOAT = 2;
const MAX_NAME = 31;

/**
 * Writes an OpenEXR image of 32-bit floats in scan lines with ZIP compression. Infinities and NaN are kept. OpenEXR
 * file layout, versions 2 and up. Equal images give equal bytes on the same runtime.
 *
 * @throws {RangeError} when a channel has not as many numbers as the image has pixels, or no valid name.
 */
export async function encodeExr(
  { width, height, channels }: {
    readonly width: number;
    readonly height: number;
    readonly channels: readonly ExrChannel[];
  },
): Promise<Uint8Array<ArrayBuffer>> {
  for (const { name, data } of channels) {
    if (!/^[\x21-\x7e]+$/.test(name) || name.length > MAX_NAME || data.length !== width * height) {
      throw new RangeError(
        `Cannot write EXR: channel "${name}" has ${data.length} numbers, expected ${
          width * height
        } and a name of 1 to ` +
          `${MAX_NAME} visible characters`,
      );
    }
  }
  // Readers rely on the order of the names.
  const sorted = [...channels].sort((a, b) => (a.name < b.name ? -1 : 1));
  const head = header(width, height, sorted.map(({ name }) => name));
  const count = Math.ceil(height / ZIP_ROWS);
  const blocks: Uint8Array[] = [];
  for (let i = 0; i < count; i++) blocks.push(await block(width, height, sorted, i * ZIP_ROWS));
  const size = head.length + 8 * count + blocks.reduce((sum, part) => sum + part.length, 0);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  out.set(head);
  let at = head.length + 8 * count;
  blocks.forEach((part, i) => {
    view.setBigUint64(head.length + 8 * i, BigInt(at), true);
    out.set(part, at);
    at += part.length;
  });
  return out;
}

function header(width: number, height: number, names: readonly string[]): Uint8Array {
  const bytes: number[] = [];
  const text = (s: string) => bytes.push(...new TextEncoder().encode(s), 0);
  const int = (n: number) => bytes.push(n & 255, n >> 8 & 255, n >> 16 & 255, n >> 24 & 255);
  const float = (n: number) => int(new Int32Array(Float32Array.of(n).buffer)[0]);
  const attribute = (name: string, type: string, size: number, write: () => void) => {
    text(name);
    text(type);
    int(size);
    write();
  };
  const box = () => [0, 0, width - 1, height - 1].forEach(int);
  int(MAGIC);
  int(VERSION);
  const listSize = names.reduce((sum, name) => sum + name.length + 1 + 16, 1);
  attribute("channels", "chlist", listSize, () => {
    for (const name of names) {
      text(name);
      int(FLOAT);
      bytes.push(0, 0, 0, 0); // not perceptually linear, three reserved bytes
      int(1); // every column and every row is there
      int(1);
    }
    bytes.push(0);
  });
  attribute("compression", "compression", 1, () => bytes.push(ZIP_COMPRESSION));
  attribute("dataWindow", "box2i", 16, box);
  attribute("displayWindow", "box2i", 16, box);
  attribute("lineOrder", "lineOrder", 1, () => bytes.push(0)); // from the top
  attribute("pixelAspectRatio", "float", 4, () => float(1));
  attribute("screenWindowCenter", "v2f", 8, () => [0, 0].forEach(float));
  attribute("screenWindowWidth", "float", 4, () => float(1));
  bytes.push(0);
  return Uint8Array.from(bytes);
}

/** Up to sixteen rows: number of the first, bytes of the rest, rows channel by channel. */
async function block(
  width: number,
  height: number,
  channels: readonly ExrChannel[],
  first: number,
): Promise<Uint8Array> {
  const rows = Math.min(ZIP_ROWS, height - first);
  const raw = new Uint8Array(4 * width * rows * channels.length);
  const floats = new DataView(raw.buffer);
  let at = 0;
  for (let row = first; row < first + rows; row++) {
    for (const { data } of channels) {
      for (let x = 0; x < width; x++, at += 4) floats.setFloat32(at, data[row * width + x], true);
    }
  }
  const packed = await deflate(predicted(raw));
  // A block that does not shrink is stored uncompressed.
  const content = packed.length < raw.length ? packed : raw;
  const out = new Uint8Array(8 + content.length);
  const view = new DataView(out.buffer);
  view.setInt32(0, first, true);
  view.setInt32(4, content.length, true);
  out.set(content, 8);
  return out;
}

/** Bytes at even places before those at odd ones, each less the one before it and plus 128. */
function predicted(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  const half = Math.ceil(raw.length / 2);
  const out = new Uint8Array(raw.length);
  raw.forEach((byte, i) => out[i % 2 === 0 ? i / 2 : half + (i - 1) / 2] = byte);
  for (let i = out.length - 1; i > 0; i--) out[i] = out[i] - out[i - 1] + 128;
  return out;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
