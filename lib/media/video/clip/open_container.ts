/**
 * The video track of a file, without decoding it.
 *
 * @module
 */
import {
  CustomSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WEBM,
} from "mediabunny";
import { SvcError } from "../../../errors/svc_error.ts";
import type { RgbImage } from "../../images/rgb_image.ts";

/** A track of a file that is open. */
export interface VideoTrack {
  readonly facts: VideoFacts;
  readonly config: VideoDecoderConfig;
  /** Quarter turns to the right with which it is shown. */
  readonly turns: number;
  /** In the order in which they are decoded, which may lie before the last one that is shown. */
  packets(): AsyncGenerator<EncodedPacket>;
  close(): void;
}

/** Bytes of a container's index, and of what is read ahead. */
const CACHE = 8 * 1024 * 1024;

/** Larger frames are not opened. */
const MAX_SIDE = 16_384;

/** Frames a second beyond which times are not believed. */
const MAX_FPS = 240;

/**
 * Opens the first video track of an MP4, MOV, WebM, Matroska, MPEG-TS or Ogg file.
 *
 * @param maxFrames Frames that are looked at.
 * @throws {SvcError} `video_unsupported` when there is none, `video_damaged` when it cannot be read.
 */
export async function openVideoTrack(video: VideoBytes, maxFrames: number): Promise<VideoTrack> {
  const source = new CustomSource({
    getSize: () => video.size,
    read: (start, end) => video.read(start, end - start),
    maxCacheSize: CACHE,
    prefetchProfile: "fileSystem",
    handleUnhandledError: () => {}, // the next read fails as well
  });
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA, MPEG_TS, OGG], source });
  try {
    if (!await input.canRead()) {
      throw new SvcError(
        "video_unsupported",
        "Cannot read the video: its format is unknown, expected MP4, MOV, WebM, Matroska, MPEG-TS or Ogg",
      );
    }
    const track = await input.getPrimaryVideoTrack();
    if (track === null) {
      throw new SvcError("video_unsupported", "Cannot read the video: the file has no video track, expected one");
    }
    const config = await track.getDecoderConfig();
    if (config === null) {
      throw new SvcError(
        "video_unsupported",
        `Cannot read the video: its codec is ${
          await track.getCodec() ?? "unknown"
        }, expected H.264, H.265, VP8, VP9 or AV1`,
      );
    }
    return await describeTrack(input, track, config, maxFrames);
  } catch (error) {
    input.dispose();
    throw asDamaged(error);
  }
}

async function describeTrack(
  input: Input,
  track: InputVideoTrack,
  config: VideoDecoderConfig,
  maxFrames: number,
): Promise<VideoTrack> {
  const sink = new EncodedPacketSink(track);
  let frames = 0;
  let [first, last] = [Infinity, -Infinity];
  for await (const { timestamp } of sink.packets(undefined, undefined, { metadataOnly: true })) {
    first = Math.min(first, timestamp);
    last = Math.max(last, timestamp);
    if (++frames === maxFrames) break;
  }
  const [width, height] = [await track.getCodedWidth(), await track.getCodedHeight()];
  if (frames === 0 || !(width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE)) {
    throw new SvcError(
      "video_damaged",
      `Cannot read the video: it has ${frames} frames of ${width}x${height}, expected one or more with 1 to ${MAX_SIDE} ` +
        "pixels on a side",
    );
  }
  const turns = await track.getRotation() / 90;
  const rate = (frames - 1) / (last - first);
  const [shownWidth, shownHeight] = turns % 2 === 0 ? [width, height] : [height, width];
  return {
    facts: {
      width: shownWidth,
      height: shownHeight,
      frames,
      fps: rate > 0 && rate <= MAX_FPS ? Math.round(rate * 1000) / 1000 : 24,
    },
    config,
    turns,
    packets: () => sink.packets(),
    close: () => input.dispose(),
  };
}

/** Whatever goes wrong in a container is the fault of its bytes. */
export function asDamaged(error: unknown): unknown {
  if (error instanceof SvcError) return error;
  const reason = (error instanceof Error ? error.message : String(error)).split("\n")[0].slice(0, 200);
  return new SvcError("video_damaged", `Cannot read the video: ${reason}; expected a whole file`, { cause: error });
}

/** Bytes of a video, wherever they are. */
export interface VideoBytes {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Path of the file, where it is one. */
  readonly path?: string | undefined;
}

/** What is known of a video before it is decoded. */
export interface VideoFacts {
  /** Of the frames as they are shown, after they are turned. */
  readonly width: number;
  readonly height: number;
  /** Frames that will be read. */
  readonly frames: number;
  /** Frames per second, on average. */
  readonly fps: number;
}

/** Frames of a video in the order in which they are shown; each is decoded when it is asked for. */
export type VideoFrameStream = AsyncGenerator<RgbImage>;
