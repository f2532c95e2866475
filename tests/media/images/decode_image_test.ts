import assert from "node:assert/strict";
import { test } from "node:test";
import sharp, { type Sharp } from "sharp";
import { decodeImage } from "../../../lib/media/images/decode_image.ts";
import { encodePng } from "../../../lib/media/images/png.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const WIDTH = 24;
const HEIGHT = 16;

/** Red above left, green above right, blue below left, white below right. */
function quarters(): Uint8Array {
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const right = x >= WIDTH / 2, low = y >= HEIGHT / 2;
      data.set(low ? right ? [255, 255, 255] : [0, 0, 255] : right ? [0, 255, 0] : [255, 0, 0], (y * WIDTH + x) * 3);
    }
  }
  return data;
}

const source = (): Sharp => sharp(quarters(), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });

const refused = (code: SvcError["code"]) => (error: unknown): boolean => {
  assert.ok(error instanceof SvcError, String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, /^Cannot decode .*[^.]$/);
  return true;
};

/** Letters of the colours in the middles of the four quarters, row by row. */
async function cornersOf(bytes: Uint8Array): Promise<string> {
  const { width, height, data } = await decodeImage(bytes);
  assert.equal(data.length, width * height * 3);
  const letter = (x: number, y: number): string => {
    const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 3;
    const bits = [0, 1, 2].map((c) => data[at + c] > 127 ? 1 : 0).join("");
    return ({ "100": "R", "010": "G", "001": "B", "111": "W", "000": "K" } as Record<string, string>)[bits] ?? "?";
  };
  return letter(0.25, 0.25) + letter(0.75, 0.25) + letter(0.25, 0.75) + letter(0.75, 0.75);
}

const formats: Record<string, () => Promise<Uint8Array>> = {
  "PNG": () => source().png().toBuffer(),
  "PNG with palette": () => source().png({ palette: true }).toBuffer(),
  "PNG with 16 bits": () => source().toColourspace("rgb16").png().toBuffer(),
  "interlaced PNG": () => source().png({ progressive: true }).toBuffer(),
  "JPEG": () => source().jpeg({ quality: 95 }).toBuffer(),
  "progressive JPEG": () => source().jpeg({ progressive: true }).toBuffer(),
  "WebP": () => source().webp().toBuffer(),
  "lossless WebP": () => source().webp({ lossless: true }).toBuffer(),
  "GIF": () => source().gif().toBuffer(),
  "AVIF": () => source().avif({ effort: 0 }).toBuffer(),
  "TIFF": () => source().tiff({ compression: "lzw" }).toBuffer(),
};

for (const [name, encode] of Object.entries(formats)) {
  test(`decodeImage() reads ${name}`, async () => {
    const bytes = new Uint8Array(await encode());
    assert.equal(await cornersOf(bytes), "RGBW");
    const { width, height } = await decodeImage(bytes);
    assert.deepEqual([width, height], [WIDTH, HEIGHT]);
  });
}

test("decodeImage() gives three channels when the image is grey or CMYK", async () => {
  const grey = await decodeImage(await source().greyscale().png().toBuffer());
  assert.equal(grey.data.length, WIDTH * HEIGHT * 3);
  assert.equal(grey.data[0], grey.data[2]);
  const inks = await decodeImage(await source().toColourspace("cmyk").jpeg().toBuffer());
  assert.equal(inks.data.length, WIDTH * HEIGHT * 3);
  assert.ok(inks.data[0] > 200 && inks.data[2] < 80, "red stays red");
});

test("decodeImage() shows transparent parts on white", async () => {
  const pixels = new Uint8Array([255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 127]);
  const png = await sharp(pixels, { raw: { width: 3, height: 1, channels: 4 } }).png().toBuffer();
  const { data } = await decodeImage(png);
  assert.deepEqual([...data.subarray(0, 6)], [255, 0, 0, 255, 255, 255]);
  assert.ok(Math.abs(data[6] - 128) <= 1, `half transparent black became ${data[6]}`);
});

// EXIF orientation: where the first row and the first column of the file belong (Exif 2.32, tag 274).
const orientations = ["RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB"];
for (const [i, corners] of orientations.entries()) {
  test(`decodeImage() turns a JPEG with EXIF orientation ${i + 1}`, async () => {
    const bytes = await source().withMetadata({ orientation: i + 1 }).jpeg({ quality: 95 }).toBuffer();
    assert.equal(await cornersOf(bytes), corners);
    assert.equal((await decodeImage(bytes)).width, i < 4 ? WIDTH : HEIGHT);
  });
}

for (const format of ["gif", "webp"] as const) {
  test(`decodeImage() takes the first frame when a ${format} is animated`, async () => {
    const two = new Uint8Array([...quarters(), ...new Uint8Array(WIDTH * HEIGHT * 3)]);
    const raw = { width: WIDTH, height: HEIGHT * 2, channels: 3, pageHeight: HEIGHT } as const;
    const bytes = await sharp(two, { raw }).toFormat(format).toBuffer();
    assert.equal((await sharp(bytes, { animated: true }).metadata()).pages, 2);
    assert.equal(await cornersOf(bytes), "RGBW");
    assert.equal((await decodeImage(bytes)).height, HEIGHT);
  });
}

/** A file of sharp's with other brands in its first box: the first one, and three it is compatible with. */
function withBrands(file: Uint8Array, [major, ...others]: readonly string[]): Uint8Array {
  const bytes = file.slice();
  bytes.set(new TextEncoder().encode(major), 8);
  bytes.set(new TextEncoder().encode(others.join("")), 16);
  return bytes;
}

test("decodeImage() recognises AVIF by any of its brands, in any place", async () => {
  const avif = await source().avif({ effort: 0 }).toBuffer();
  const expected = await decodeImage(avif);
  for (
    const brands of [
      ["mif1", "avif", "miaf", "mif1"],
      ["miaf", "mif1", "MA1B", "avif"],
      ["MA1B", "avif", "mif1", "miaf"],
      ["avis", "avif", "mif1", "miaf"],
    ]
  ) assert.deepEqual(await decodeImage(withBrands(avif, brands)), expected, brands.join());
});

test("decodeImage() names HEIC and HEIF as what they are", async () => {
  const avif = await source().avif({ effort: 0 }).toBuffer();
  for (
    const [name, brands] of [
      ["HEIC", ["heic", "mif1", "heic", "miaf"]],
      ["HEIC", ["mif1", "mif1", "miaf", "heix"]],
      ["HEIC", ["hevc", "msf1", "hevc", "mif1"]],
      ["HEIF", ["mif1", "mif1", "miaf", "1pic"]],
    ] as const
  ) {
    await assert.rejects(decodeImage(withBrands(avif, brands)), {
      code: "image_unsupported",
      message: new RegExp(`it is a ${name} image, expected PNG.*save it as JPEG or PNG first`),
    }, brands.join());
  }
});

test("decodeImage() refuses other files than images", async () => {
  const texts = ["", "x", "hello, I am an image", `<svg xmlns="http://www.w3.org/2000/svg"/>`, "%PDF-1.7", "GIF88a.."];
  for (const text of texts) {
    await assert.rejects(() => decodeImage(new TextEncoder().encode(text)), refused("image_unsupported"));
  }
});

test("decodeImage() refuses more than 32 MiB before it looks at them", async () => {
  await assert.rejects(() => decodeImage(new Uint8Array(32 * 1024 * 1024 + 1)), refused("image_too_large"));
});

test("decodeImage() refuses more than 40 megapixels by the header alone", async () => {
  const png = new Uint8Array(await encodePng({ width: 1, height: 1, data: new Uint8Array(3) }));
  const view = new DataView(png.buffer);
  view.setUint32(16, 30_000);
  view.setUint32(20, 30_000);
  view.setUint32(29, crc32(png.subarray(12, 29)));
  await assert.rejects(() => decodeImage(png), refused("image_too_large"));
  const jpeg = new Uint8Array(await source().jpeg().toBuffer());
  const frameHeader = jpeg.findIndex((byte, i) => byte === 0xff && jpeg[i + 1] === 0xc0);
  jpeg.fill(0x7f, frameHeader + 5, frameHeader + 9); // 32639x32639
  await assert.rejects(() => decodeImage(jpeg), refused("image_too_large"));
});

test("decodeImage() refuses a side of more than 32,768 pixels by the header alone, however small the other is", async () => {
  const png = new Uint8Array(await encodePng({ width: 1, height: 1, data: new Uint8Array(3) }));
  const view = new DataView(png.buffer);
  for (const [width, height] of [[1, 40_000_000], [40_000_000, 1], [32_769, 2]]) {
    view.setUint32(16, width);
    view.setUint32(20, height);
    view.setUint32(29, crc32(png.subarray(12, 29)));
    await assert.rejects(() => decodeImage(png), refused("image_too_large"), `${width}x${height}`);
  }
  const line = await sharp({ create: { width: 32_768, height: 1, channels: 3, background: "red" } }).png().toBuffer();
  assert.equal((await decodeImage(new Uint8Array(line))).width, 32_768);
});

/** Bit by bit, as the PNG specification defines it. */
function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

for (const name of ["PNG", "JPEG", "WebP", "GIF", "AVIF", "TIFF"]) {
  test(`decodeImage() refuses a ${name} that is cut off`, async () => {
    const bytes = new Uint8Array(await formats[name]());
    await assert.rejects(() => decodeImage(bytes.subarray(0, Math.floor(bytes.length / 2))), refused("image_damaged"));
    await assert.rejects(() => decodeImage(bytes.subarray(0, 16)), refused("image_damaged"));
  });

  test(`decodeImage() never fails but with an SvcError when bytes of a ${name} are changed`, async () => {
    const bytes = new Uint8Array(await formats[name]());
    let seed = 7;
    const random = (n: number) => (seed = seed * 48271 % 2147483647) % n;
    for (let i = 0; i < 25; i++) {
      const hostile = bytes.slice();
      for (let k = 0; k < 4; k++) hostile[random(hostile.length)] = random(256);
      await decodeImage(hostile).catch((error) => assert.ok(error instanceof SvcError, String(error)));
    }
  });
}
