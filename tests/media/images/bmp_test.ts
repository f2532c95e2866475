import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeImage } from "../../../lib/media/images/decode_image.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

interface BmpParts {
  readonly depth: number;
  /** Rows as stored in the file, each padded to four bytes. */
  readonly rows: readonly (readonly number[])[];
  readonly width?: number;
  readonly height?: number;
  readonly headerSize?: number;
  readonly compression?: number;
  readonly palette?: readonly number[];
  readonly masks?: readonly number[];
}

/** Puts a BMP together from its parts; 2x2 unless said. */
function bmp(
  { depth, rows, width = 2, height = 2, headerSize = 40, compression = 0, palette = [], masks = [] }: BmpParts,
) {
  const maskBytes = headerSize === 40 ? masks.length * 4 : 0;
  const start = 14 + headerSize + maskBytes + palette.length;
  const bytes = new Uint8Array(start + rows.flat().length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, start, true);
  view.setUint32(14, headerSize, true);
  if (headerSize === 12) {
    view.setUint16(18, width, true);
    view.setUint16(20, height, true);
    view.setUint16(22, 1, true);
    view.setUint16(24, depth, true);
  } else {
    view.setInt32(18, width, true);
    view.setInt32(22, height, true);
    view.setUint16(26, 1, true);
    view.setUint16(28, depth, true);
    view.setUint32(30, compression, true);
    masks.forEach((mask, i) => view.setUint32(54 + i * 4, mask, true));
  }
  bytes.set(palette, 14 + headerSize + maskBytes);
  bytes.set(rows.flat(), start);
  return bytes;
}

// Red, green above blue, white: what every good file below shows.
const EXPECTED = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
const PALETTE = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0];
const ROWS_24 = [[255, 0, 0, 255, 255, 255, 0, 0], [0, 0, 255, 0, 255, 0, 0, 0]];
const ROWS_32 = [[255, 0, 0, 0, 255, 255, 255, 0], [0, 0, 255, 0, 0, 255, 0, 0]];

const good: Record<string, BmpParts> = {
  "24 bits": { depth: 24, rows: ROWS_24 },
  "24 bits downwards": { depth: 24, rows: ROWS_24.toReversed(), height: -2 },
  "32 bits": { depth: 32, rows: ROWS_32 },
  "8 bits": { depth: 8, rows: [[2, 3, 0, 0], [0, 1, 0, 0]], palette: PALETTE },
  "4 bits": { depth: 4, rows: [[0x23, 0, 0, 0], [0x01, 0, 0, 0]], palette: PALETTE },
  "8 bits in OS/2 form": {
    depth: 8,
    headerSize: 12,
    rows: [[2, 3, 0, 0], [0, 1, 0, 0]],
    palette: [0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255],
  },
  "16 bits": { depth: 16, rows: [[0x1f, 0, 0xff, 0x7f], [0, 0x7c, 0xe0, 0x03]] },
  "16 bits with masks 565": {
    depth: 16,
    compression: 3,
    masks: [0xf800, 0x7e0, 0x1f],
    rows: [[0x1f, 0, 0xff, 0xff], [0, 0xf8, 0xe0, 0x07]],
  },
  "32 bits with masks in a V4 header": {
    depth: 32,
    compression: 3,
    headerSize: 108,
    masks: [0xff000000, 0xff0000, 0xff00],
    rows: [[0, 255, 0, 0, 0, 255, 255, 255], [0, 0, 0, 255, 0, 0, 255, 0]],
  },
};

for (const [name, parts] of Object.entries(good)) {
  test(`decodeImage() reads a BMP of ${name}`, async () => {
    const image = await decodeImage(bmp(parts));
    assert.deepEqual([image.width, image.height], [2, 2]);
    assert.deepEqual([...image.data], EXPECTED);
  });
}

test("decodeImage() reads a BMP of 1 bit from the highest bit on", async () => {
  const bytes = bmp({
    depth: 1,
    width: 10,
    height: 1,
    rows: [[0b10100000, 0b01000000, 0, 0]],
    palette: [0, 0, 0, 0, 9, 9, 9, 0],
  });
  const { data } = await decodeImage(bytes);
  assert.deepEqual([...data].filter((_, i) => i % 3 === 0), [9, 0, 9, 0, 0, 0, 0, 0, 0, 9]);
});

const bad: Record<string, readonly [BmpParts, SvcError["code"]]> = {
  "its rows are cut off": [{ depth: 24, rows: [ROWS_24[0]] }, "image_damaged"],
  "its size is zero": [{ depth: 24, rows: [], width: 0 }, "image_damaged"],
  "its width is negative": [{ depth: 24, rows: ROWS_24, width: -2 }, "image_damaged"],
  "its depth is invalid": [{ depth: 7, rows: ROWS_24 }, "image_damaged"],
  "its header has an unknown size": [{ depth: 24, rows: ROWS_24, headerSize: 20 }, "image_damaged"],
  "its palette is too short": [{ depth: 8, rows: [[9, 0, 0, 0], [0, 0, 0, 0]], palette: PALETTE }, "image_damaged"],
  "it is run-length compressed": [{ depth: 8, rows: [], compression: 1, palette: PALETTE }, "image_unsupported"],
  "it has too many pixels": [{ depth: 24, rows: [], width: 40_000, height: 1001 }, "image_too_large"],
  "its height is the least number": [{ depth: 24, rows: [], height: -2147483648 }, "image_too_large"],
  "its masks lie past its end": [{ depth: 32, rows: [], headerSize: 44, compression: 3 }, "image_damaged"],
};

for (const [name, [parts, code]] of Object.entries(bad)) {
  test(`decodeImage() refuses a BMP when ${name}`, async () => {
    await assert.rejects(() => decodeImage(bmp(parts)), (error) => error instanceof SvcError && error.code === code);
  });
}

test("decodeImage() never fails but with an SvcError when bytes of a BMP are changed or cut off", async () => {
  let seed = 1;
  const random = (n: number) => (seed = seed * 48271 % 2147483647) % n;
  for (const parts of Object.values(good)) {
    const bytes = bmp(parts);
    for (let i = 0; i < 200; i++) {
      const hostile = bytes.slice(0, i % 2 ? bytes.length : 2 + random(bytes.length - 2));
      for (let k = 0; k < 3; k++) hostile[2 + random(hostile.length - 2)] = random(256);
      await decodeImage(hostile).catch((error) => assert.ok(error instanceof SvcError, String(error)));
    }
  }
});
