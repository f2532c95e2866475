/**
 * Compression and decompression by zlib.
 *
 * @module
 */
import { Duplex, Readable, type Transform } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, deflateSync } from "node:zlib";

/** Forms of compressed data: gzip (RFC 1952), zlib (RFC 1950), bare deflate (RFC 1951), Brotli (RFC 7932). */
type Compression = "gzip" | "zlib" | "deflate" | "brotli";

const openers: Readonly<Record<Compression, () => Transform>> = {
  gzip: createGunzip,
  zlib: createInflate,
  deflate: createInflateRaw,
  brotli: createBrotliDecompress,
};

/**
 * The bytes that a stream of compressed bytes stands for. No more is decompressed than is read; a stream that is damaged
 * or ends early fails the read.
 */
export function decompress(
  compressed: ReadableStream<Uint8Array>,
  form: Compression,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = Readable.fromWeb(compressed as NodeStream<Uint8Array>);
  const transform = openers[form]();
  source.on("error", (error) => transform.destroy(error));
  transform.on("close", () => source.destroy());
  source.pipe(transform);
  return Duplex.toWeb(transform).readable as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Bytes in the form of zlib (RFC 1950) at its highest level: at the default one, builds for speed pass over repetitions of
 * three bytes that the original finds.
 */
export function deflate(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: 9 });
}
