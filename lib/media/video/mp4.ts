/**
 * Writes and reads H.264 in MP4 files. Joins the chunks of a job, or of a whole walk, into one video.
 *
 * @module
 */
import { tagBt709 } from "./encoders/tag_bt709.ts";
import type { H264Packet, H264Stream } from "./h264.ts";
import { BT709 } from "./i420.ts";
import type { ChunkOptions, EncodedChunk } from "./media.ts";

/** Where the packets of a file are in time. */
interface MuxOptions extends Pick<ChunkOptions, "fps" | "firstFrame" | "container"> {
  /** Seconds that each packet is shown, from time 0, where they differ. */
  readonly durations?: readonly number[];
}

/**
 * Writes packets as one MP4, tagged as BT.709 limited range, at exact times `(firstFrame + i) / fps`. Equal packets
 * give equal bytes.
 */
export async function muxMp4(
  stream: H264Stream,
  { fps, firstFrame, container, durations }: MuxOptions,
): Promise<EncodedChunk> {
  const { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } = await import("mediabunny");
  const target = new BufferTarget();
  const format = new Mp4OutputFormat({ fastStart: container === "fmp4" ? "fragmented" : "in-memory" });
  const output = new Output({ format, target });
  const source = new EncodedVideoPacketSource("avc");
  output.addVideoTrack(source, durations ? {} : { frameRate: fps });
  await output.start();
  const description = tagBt709(bytesOf(stream.config.description!));
  const decoderConfig: VideoDecoderConfig = { ...stream.config, description, colorSpace: BT709 };
  let time = 0;
  for (const [i, { data, type }] of stream.packets.entries()) {
    const length = durations?.[i] ?? 1 / fps;
    const packet = new EncodedPacket(data, type, durations ? time : (firstFrame + i) / fps, length);
    time += length;
    await source.add(packet, i === 0 ? { decoderConfig } : undefined);
  }
  await output.finalize();
  const bytes = zeroTimes(new Uint8Array(target.buffer!));
  const frames = stream.packets.length;
  return { bytes, codec: codecOf(stream.config), frames, duration: durations ? time : frames / fps };
}

/**
 * Reads the packets of a file's video track.
 *
 * @throws {Error} when the file is damaged or has no H.264 track.
 */
export async function demuxMp4(bytes: Uint8Array): Promise<H264Stream> {
  const { BufferSource, EncodedPacketSink, Input, MP4 } = await import("mediabunny");
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4] });
  try {
    const track = await input.getPrimaryVideoTrack();
    const config = await track?.getDecoderConfig();
    if (!track || !config?.description || track.codec !== "avc") {
      throw new Error(`its video codec is ${track?.codec ?? "missing"}, expected H.264`);
    }
    const packets: H264Packet[] = [];
    for await (const { data, type } of new EncodedPacketSink(track).packets()) packets.push({ data, type });
    return { config, packets };
  } catch (error) {
    throw new Error(`Cannot read MP4: ${error instanceof Error ? error.message : error}`, { cause: error });
  } finally {
    input.dispose();
  }
}

/**
 * Codec as media types name it: `avc1.` and the profile, constraints and level of the `avcC` record, which reflect the
 * actual stream, where `config.codec` may only reflect the request. ISO/IEC 14496-15, annex E.3.
 */
function codecOf(config: VideoDecoderConfig): string {
  const record = bytesOf(config.description!);
  return `avc1.${[...record.subarray(1, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The memory of any kind of buffer, as bytes. */
function bytesOf(buffer: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
}

const CONTAINERS = new Set(["moov", "trak", "mdia"]);
const WITH_TIMES = new Set(["mvhd", "tkhd", "mdhd"]);

/** Zeroes creation and modification times (ISO/IEC 14496-12), which the muxer takes from the clock; in place. */
function zeroTimes(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const walk = (from: number, end: number): void => {
    for (let at = from; at + 8 <= end;) {
      const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
      const short = view.getUint32(at);
      const header = short === 1 ? 16 : 8;
      const size = short === 1 ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short;
      const body = at + header;
      if (CONTAINERS.has(type)) walk(body, at + size);
      else if (WITH_TIMES.has(type)) file.fill(0, body + 4, body + 4 + (file[body] === 1 ? 16 : 8)); // two of 64 or 32 bits
      at += size;
    }
  };
  walk(0, file.length);
  return file;
}

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
