/**
 * The files of a clip's depth.
 *
 * @module
 */
import { depthPreview, type DepthRange } from "../../../media/images/depth_preview.ts";
import { encodeExr } from "../../../media/images/exr.ts";
import { encodePng } from "../../../media/images/png.ts";
import { joinFrames, type RgbImage } from "../../../media/images/rgb_image.ts";
import type { Media } from "../../../media/video/media.ts";
import type { ImageSize } from "../../images/resample.ts";
import { type Artifact, EXR_TYPE, sixDigits } from "./artifact.ts";

/** The depth of a frame in full. */
export async function depthFrameExr(frame: number, depth: Float32Array, size: ImageSize): Promise<Artifact> {
  const bytes = await encodeExr({ ...size, channels: [{ name: "Z", data: depth }] });
  return {
    kind: "depth-exr",
    path: `frames/${sixDigits(frame)}-depth.exr`,
    mediaType: EXR_TYPE,
    bytes,
    frameIndex: frame,
  };
}

/** The depth of a frame to look at, in the range of the whole clip. */
export async function depthFramePreview(
  frame: number,
  depth: Float32Array,
  { width, height }: ImageSize,
  range: DepthRange,
): Promise<Artifact> {
  const bytes = await encodePng(depthPreview(depth, width, height, range));
  return {
    kind: "depth-preview",
    path: `frames/${sixDigits(frame)}-depth.png`,
    mediaType: "image/png",
    bytes,
    frameIndex: frame,
  };
}

/** Frames that are encoded at a time. */
const CHUNK = 12;

/** The previews of a clip, one or more of one size, as one video. */
export async function reviewVideo(media: Media, previews: AsyncIterable<RgbImage>, fps: number): Promise<Artifact> {
  const chunks: Uint8Array[] = [];
  let waiting: RgbImage[] = [];
  let firstFrame = 0;
  const flush = async () => {
    if (waiting.length === 0) return;
    const { bytes } = await media.encodeChunk(joinFrames(waiting.map((image) => ({ ...image, count: 1 }))), {
      fps,
      firstFrame,
      container: "fmp4",
    });
    chunks.push(bytes);
    firstFrame += waiting.length;
    waiting = [];
  };
  for await (const preview of previews) {
    waiting.push(preview);
    if (waiting.length === CHUNK) await flush();
  }
  await flush();
  const { bytes } = await media.joinChunks(chunks, { fps });
  return { kind: "depth-review-video", path: "depth-review.mp4", mediaType: "video/mp4", bytes: new Uint8Array(bytes) };
}
