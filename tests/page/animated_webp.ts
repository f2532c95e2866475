/**
 * Animated WebP files of single ones: the container of the WebP specification (RFC 9649).
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** A picture of an animation. */
export interface WebpFrame {
  /** A WebP file without alpha and animation, as canvases make it. */
  readonly file: Uint8Array;
  /** How long it is shown, in milliseconds. */
  readonly duration: number;
}

/** Joins pictures of one size into a file that repeats forever. */
export function animatedWebp(frames: readonly WebpFrame[], width: number, height: number): Uint8Array {
  const extended = Buffer.alloc(10);
  extended.writeUInt8(0x02, 0); // it is an animation
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  const animation = Buffer.alloc(6); // a black ground, no end
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    chunk("VP8X", extended),
    chunk("ANIM", animation),
    ...frames.map(({ file, duration }) => {
      const head = Buffer.alloc(16);
      head.writeUIntLE(width - 1, 6, 3);
      head.writeUIntLE(height - 1, 9, 3);
      head.writeUIntLE(duration, 12, 3);
      head.writeUInt8(0x02, 15); // it replaces what is there
      return chunk("ANMF", Buffer.concat([head, picture(file)]));
    }),
  ]);
  const head = Buffer.alloc(8);
  head.write("RIFF");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** The chunk with the coded picture. */
function picture(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file);
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + size % 2;
    if (/^VP8[ L]$/.test(bytes.toString("latin1", at, at + 4))) return bytes.subarray(at, end);
    at = end;
  }
  throw new Error("Cannot join pictures: one of them has no VP8 chunk");
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
