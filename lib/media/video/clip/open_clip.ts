/**
 * Opens videos that people upload: any container and codec that is installed.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import { ffmpegFrames, hasFfmpeg } from "./ffmpeg_frames.ts";
import {
  asDamaged,
  openVideoTrack,
  type VideoBytes,
  type VideoFacts,
  type VideoFrameStream,
  type VideoTrack,
} from "./open_container.ts";
import { loadVideoCodecs, webCodecsFrames } from "./webcodecs_frames.ts";

/**
 * Facts about a video from its container alone.
 *
 * @throws {SvcError} `video_unsupported`, `video_damaged`.
 */
export async function inspectVideo(video: VideoBytes, maxFrames: number): Promise<VideoFacts> {
  const track = await openVideoTrack(video, maxFrames);
  track.close();
  return track.facts;
}

/** A video whose frames can be read once. */
export interface VideoClip extends VideoFacts {
  readonly frameStream: VideoFrameStream;
  close(): Promise<void>;
}

/**
 * Opens the frames of a video, the first `maxFrames` of them. What decodes is WebCodecs, else an installed ffmpeg.
 *
 * @throws {SvcError} `video_unsupported`, `video_damaged`, here and while frames are read, `video_decoder_missing`.
 */
export async function openClip(video: VideoBytes, maxFrames: number): Promise<VideoClip> {
  const track = await openVideoTrack(video, maxFrames);
  try {
    const frames = await chooseDecoder(video, track);
    const frameStream = checked(frames, track.facts);
    return {
      ...track.facts,
      frameStream,
      close: async () => {
        await frameStream.return(undefined);
        track.close();
      },
    };
  } catch (error) {
    track.close();
    throw error;
  }
}

async function chooseDecoder(video: VideoBytes, track: VideoTrack): Promise<VideoFrameStream> {
  const codecs = await loadVideoCodecs();
  const supported = codecs === undefined
    ? false
    : (await codecs.VideoDecoder.isConfigSupported(track.config).catch(() => ({ supported: false }))).supported;
  if (codecs !== undefined && supported === true) return webCodecsFrames(codecs, track);
  if (video.path !== undefined && await hasFfmpeg()) return ffmpegFrames(video.path, track.facts);
  throw new SvcError(
    "video_decoder_missing",
    `Cannot decode the video (${track.config.codec}): no decoder for it is installed here, install the package ` +
      "@napi-rs/webcodecs or ffmpeg",
  );
}

/** As many frames as were announced: a damaged end repeats the last one that could be decoded. */
async function* checked(frames: VideoFrameStream, facts: VideoFacts): VideoFrameStream {
  let given = 0;
  let last;
  try {
    for await (const frame of frames) {
      if (frame.width !== facts.width || frame.height !== facts.height) {
        throw new SvcError(
          "video_damaged",
          `Cannot read the video: frame ${given} has ${frame.width}x${frame.height} pixels, expected ` +
            `${facts.width}x${facts.height} as the others; save it again with one size`,
        );
      }
      last = frame;
      yield frame;
      if (++given === facts.frames) return;
    }
  } catch (error) {
    throw asDamaged(error);
  }
  if (last === undefined || given < facts.frames - MAX_MISSING) {
    throw new SvcError(
      "video_damaged",
      `Cannot read the video: ${given} of ${facts.frames} frames can be decoded, expected a whole file`,
    );
  }
  while (given++ < facts.frames) yield last;
}

/** Frames at the end that a decoder may keep to itself. */
const MAX_MISSING = 2;
