/**
 * Python wheels in memory.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { crc32 as sumOf } from "../../lib/media/images/bytes.ts";

/** A file of an archive; what is set besides its bytes is written instead of the truth. */
export interface WheelFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly size?: number;
  readonly packed?: number;
  readonly crc32?: number;
  readonly method?: number;
  /** General purpose bits, of which the first stands for encryption. */
  readonly flags?: number;
  /** Type and permissions as Unix has them. */
  readonly mode?: number;
}

/** A ZIP archive. */
export function zipBytes(files: readonly WheelFile[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, bytes, method = 8, size = bytes.length, packed, flags = 0, mode, crc32 = sumOf(bytes) } of files) {
    const data = method === 8 ? deflateRawSync(bytes) : bytes;
    const title = new TextEncoder().encode(name);
    const common = fields([2, 20], [2, flags], [2, method], [4, 0], [4, crc32], [4, packed ?? data.length], [4, size], [
      2,
      title.length,
    ], [2, 0]);
    const local = [fields([4, 0x04034b50]), common, title, data];
    const maker = mode === undefined ? 20 : (3 << 8) + 20;
    const about = fields([2, 0], [2, 0], [2, 0], [2, 0], [2, mode ?? 0], [4, at]);
    directory.push(fields([4, 0x02014b50], [2, maker]), common, about, title);
    parts.push(...local);
    at += local.reduce((sum, { length }) => sum + length, 0);
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, length], [4, at], [
    2,
    0,
  ]);
  return Uint8Array.from([...parts, ...directory, end].flatMap((part) => [...part]));
}

/** The file `RECORD` with the hashes of files. */
export function recordOf(folder: string, files: readonly WheelFile[]): WheelFile {
  const lines = files.map(({ name, bytes }) =>
    `${name},sha256=${createHash("sha256").update(bytes).digest("base64url")},${bytes.length}`
  );
  return { name: `${folder}/RECORD`, bytes: new TextEncoder().encode(lines.join("\n")) };
}

function fields(...values: readonly (readonly [size: number, value: number])[]): Uint8Array {
  return Uint8Array.from(
    values.flatMap(([size, value]) => Array.from({ length: size }, (_, i) => (value >>> (8 * i)) & 255)),
  );
}
