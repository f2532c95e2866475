/**
 * H.264 through WebCodecs: the browser's own, or a native package of the same shape.
 *
 * @module
 */
import {
  defaultBitrate,
  EncoderError,
  type H264Encoder,
  type H264Options,
  type H264Packet,
  type H264Stream,
} from "../h264.ts";
import { BT709, type I420Frames, i420FrameSize } from "../i420.ts";

/** The constructors that are used. */
export interface WebCodecs {
  readonly VideoEncoder: typeof VideoEncoder;
  readonly VideoFrame: typeof VideoFrame;
}

/**
 * High, Main and Baseline profile at level 4.0 (up to 2048x1024 at 30 frames per second): the first supported is used.
 */
const PROFILES = ["avc1.640028", "avc1.4d0028", "avc1.42e028"];

/** The WebCodecs of this thread, as browsers have them. */
export function globalWebCodecs(): WebCodecs {
  if (typeof VideoEncoder === "undefined") throw new EncoderError("this runtime has no VideoEncoder");
  return { VideoEncoder, VideoFrame };
}

/** The WebCodecs of the optional package `@napi-rs/webcodecs` (FFmpeg with x264). */
export async function nativeWebCodecs(): Promise<WebCodecs> {
  const { VideoEncoder, VideoFrame } = await import("@napi-rs/webcodecs");
  return { VideoEncoder, VideoFrame } as unknown as WebCodecs;
}

/** An encoder over WebCodecs. Every call makes a fresh one: a reused one costs the same, and would remember. */
export function webCodecsEncoder(name: string, codecs: WebCodecs): H264Encoder {
  return { name, encode: (frames, options) => encode(codecs, frames, options) };
}

async function encode(codecs: WebCodecs, frames: I420Frames, options: H264Options): Promise<H264Stream> {
  const { width, height, count, data } = frames;
  const packets: H264Packet[] = [];
  let config: VideoDecoderConfig | undefined;
  let failure: Error | undefined;
  const encoder = new codecs.VideoEncoder({
    output: (chunk, metadata) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      packets.push({ data: bytes, type: chunk.type });
      config ??= metadata?.decoderConfig;
    },
    error: (error) => failure = error,
  });
  try {
    encoder.configure(await supportedConfig(codecs, frames, options));
    const size = i420FrameSize(width, height);
    for (let i = 0; i < count; i++) {
      const picture = new codecs.VideoFrame(data.subarray(i * size, (i + 1) * size), {
        format: "I420",
        codedWidth: width,
        codedHeight: height,
        timestamp: Math.round(i * 1e6 / options.fps),
        duration: Math.round(1e6 / options.fps),
        colorSpace: BT709,
      });
      encoder.encode(picture, { keyFrame: i === 0 });
      picture.close();
    }
    await encoder.flush();
  } catch (error) {
    throw failure ?? error; // the encoder's own error says more than the failed call
  } finally {
    if (encoder.state !== "closed") encoder.close();
  }
  if (failure) throw failure;
  if (!config) {
    throw new EncoderError(`Cannot encode chunk: no decoder configuration came with ${packets.length} packets`);
  }
  return { config, packets };
}

async function supportedConfig(
  codecs: WebCodecs,
  { width, height }: I420Frames,
  { fps, bitrate }: H264Options,
): Promise<VideoEncoderConfig> {
  for (const codec of PROFILES) {
    const config: VideoEncoderConfig = {
      codec,
      width,
      height,
      framerate: fps,
      bitrate: bitrate ?? defaultBitrate(width, height, fps),
      latencyMode: "realtime", // no reordering: packets are in frame order
      avc: { format: "avc" },
    };
    if ((await codecs.VideoEncoder.isConfigSupported(config)).supported) return config;
  }
  throw new EncoderError(`Cannot encode chunk: no H.264 profile is supported at ${width}x${height}`);
}
