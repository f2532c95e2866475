/**
 * Joins the chunks of a job, or of a whole walk, into one video.
 *
 * @module
 */
import type { EncodedChunk } from "./chunk_encoder.ts";
import type { H264Packet, H264Stream } from "./h264.ts";
import { bytesOf, demuxMp4, muxMp4 } from "./mp4.ts";

/**
 * Joins chunks of one encoder into one plain MP4 with its index in front. Nothing is encoded again: the frames of the
 * chunks follow one another from time 0, `1 / fps` seconds each.
 *
 * @param options.fps Frames per second, of all chunks or of each.
 * @param options.overlaps Indices of chunks whose first frame repeats the last one of the chunk before. The repeated
 * frame is shown once: the earlier one is left out, which no other frame depends on.
 * @throws {RangeError} when there is no chunk.
 * @throws {Error} when a chunk is not an H.264 MP4, or has another size or encoder than the first.
 */
export async function joinChunks(
  chunks: readonly Uint8Array[],
  { fps, overlaps = [] }: { readonly fps: number | readonly number[]; readonly overlaps?: readonly number[] },
): Promise<EncodedChunk> {
  if (chunks.length === 0) throw new RangeError("Cannot join chunks: there is no chunk, expected one or more");
  const streams: H264Stream[] = [];
  for (const chunk of chunks) streams.push(await demuxMp4(chunk));
  const [{ config }] = streams;
  const packets: H264Packet[] = [];
  const durations: number[] = [];
  const repeats = new Set(overlaps);
  for (const [i, stream] of streams.entries()) {
    if (!sameBytes(bytesOf(config.description!), bytesOf(stream.config.description!))) {
      throw new Error(
        `Cannot join chunks: chunk ${i} has other decoder settings than chunk 0, expected one encoder and size`,
      );
    }
    const shown = repeats.has(i + 1) ? stream.packets.slice(0, -1) : stream.packets;
    const rate = typeof fps === "number" ? fps : fps[i];
    packets.push(...shown);
    durations.push(...shown.map(() => 1 / rate));
  }
  const rate = typeof fps === "number" ? fps : fps[0];
  const varies = durations.some((duration) => duration !== 1 / rate);
  const options = { fps: rate, firstFrame: 0, container: "mp4" } as const;
  return await muxMp4({ config, packets }, varies ? { ...options, durations } : options);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
