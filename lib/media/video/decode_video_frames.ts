/**
 * Decodes frames of videos.
 *
 * @module
 */
import type { RgbFrames } from "../images/rgb_image.ts";
import { loadVideoCodecs, type VideoCodecs } from "./clip/webcodecs_frames.ts";
import type { H264Packet } from "./h264.ts";
import { i420FrameSize, i420ToRgb } from "./i420.ts";
import type { VideoFrames } from "./media.ts";
import { demuxMp4 } from "./mp4.ts";

/**
 * Decodes some frames of an MP4 as this library writes it: one H.264 track, BT.709 limited range, no reordering. Needs
 * WebCodecs: the browser's own, else the optional package `@napi-rs/webcodecs`. Call it in the media worker, see {@link
 * openMedia}; elsewhere use {@link readVideoFrames}.
 *
 * @param indices The frames, ascending; 0 is the first of the file.
 * @throws {RangeError} when the file has fewer frames.
 * @throws {Error} when it has no H.264 track, or cannot be decoded.
 */
export async function decodeVideoFrames(bytes: Uint8Array, indices: readonly number[]): Promise<VideoFrames> {
  const codecs = await loadVideoCodecs();
  if (!codecs) {
    return {
      ok: false,
      reason: "there is no H.264 decoder here",
      remedy: "install the package @napi-rs/webcodecs",
    };
  }
  const { config, packets } = await demuxMp4(bytes);
  const last = indices.at(-1) ?? -1;
  if (last >= packets.length) {
    throw new RangeError(`Cannot read frame ${last}: the video has ${packets.length} frames`);
  }
  const pictures = await decode(codecs, config, packets.slice(0, last + 1), indices);
  return { ok: true, frames: await toRgb(pictures) };
}

async function decode(
  codecs: VideoCodecs,
  config: VideoDecoderConfig,
  packets: readonly H264Packet[],
  indices: readonly number[],
): Promise<readonly VideoFrame[]> {
  const kept: VideoFrame[] = [];
  let decoded = 0;
  let failure: Error | undefined;
  const decoder = new codecs.VideoDecoder({
    output: (picture) => {
      if (indices.includes(decoded++)) kept.push(picture);
      else picture.close(); // a long video would not fit into memory
    },
    error: (error) => failure = error,
  });
  try {
    decoder.configure(config);
    for (const [timestamp, { type, data }] of packets.entries()) {
      decoder.decode(new codecs.EncodedVideoChunk({ type, timestamp, data: data as Uint8Array<ArrayBuffer> }));
    }
    await decoder.flush();
  } catch (error) {
    throw failure ?? error; // the decoder's own error is more specific than that of the failing call
  } finally {
    if (decoder.state !== "closed") decoder.close();
  }
  if (failure) throw failure;
  if (decoded !== packets.length) {
    throw new Error(`Cannot read the video: ${decoded} of ${packets.length} frames could be decoded`);
  }
  return kept;
}

/** Converts frames of one size and closes them. */
async function toRgb(pictures: readonly VideoFrame[]): Promise<RgbFrames> {
  const { codedWidth: width = 2, codedHeight: height = 2 } = pictures[0] ?? {};
  const size = i420FrameSize(width, height);
  const data = new Uint8Array(pictures.length * size);
  for (const [place, picture] of pictures.entries()) {
    await picture.copyTo(data.subarray(place * size, (place + 1) * size));
    picture.close();
  }
  return i420ToRgb({ width, height, count: pictures.length, data });
}
