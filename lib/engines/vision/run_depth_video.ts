/**
 * Depth of a video, from the file to the files.
 *
 * @module
 */
import { depthPreview, DepthRangeSampler } from "../../media/images/depth_preview.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { openClip, type VideoClip } from "../../media/video/clip/open_clip.ts";
import { localMedia } from "../../media/video/local_media.ts";
import type { FindVideoDepth } from "../../models/video_depth_anything/open_video_depth.ts";
import { windowCount } from "../../models/video_depth_anything/windows.ts";
import { manifestArtifact, sortEntries } from "../../models/vision/artifacts/artifact.ts";
import { depthFrameExr, depthFramePreview, reviewVideo } from "../../models/vision/artifacts/depth_frame_artifacts.ts";
import { open, rm } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { openFileReader } from "../../platform/files/read_part.ts";
import { runProcess } from "../../platform/processes/run_process.ts";
import type { OperationCall } from "../contract/operation.ts";
import { ArtifactFolder, type LoadTime, StageTimes } from "./operation_run.ts";
import type { DepthVideoOrder, VisionOutcome } from "./vision_operations.ts";

const TIMES = ["checkpoint_verification", "frame_extraction", "model_load", "inference", "export", "total"];

/** Depths of all frames, until their range is known. */
const DEPTHS = ".depths";

/** Finds the depth of every frame and writes what the contract lists. */
export async function runDepthVideo(
  find: FindVideoDepth,
  load: LoadTime,
  order: DepthVideoOrder,
  call: OperationCall<never>,
): Promise<VisionOutcome> {
  const times = new StageTimes();
  times.add("model_load", load.take());
  times.enter("frame_extraction");
  const file = await openFileReader(order.video);
  let clip: VideoClip | undefined;
  try {
    clip = await openClip(file, order.maxFrames);
    const files = await ArtifactFolder.open(call.folder);
    const range = await writeDepths(find, clip, order, files, times, call);
    times.enter("export");
    const review = await writePreviews(clip, range, files, call);
    const facts = clipFacts(clip, order);
    const frames = sortEntries(files.entries.filter(({ frameIndex }) => frameIndex !== undefined));
    const manifest = await files.write(
      manifestArtifact("manifest", "depth-sequence-manifest.json", 1, {
        ...{ object: "vision.depth-video", ...facts },
      }, [...frames, review]),
    );
    return { facts, artifacts: frames, manifest, companion: review, timing: times.report(TIMES) };
  } finally {
    await clip?.close();
    await file.close();
    await rm(join(call.folder, DEPTHS), { force: true });
  }
}

/** The depth of every frame as EXR, and in one file for the previews. */
async function writeDepths(
  find: FindVideoDepth,
  clip: VideoClip,
  { inputSize, metric }: DepthVideoOrder,
  files: ArtifactFolder,
  times: StageTimes,
  call: OperationCall<never>,
): Promise<DepthRangeSampler> {
  const { width, height, frames, frameStream } = clip;
  const range = new DepthRangeSampler(width * height * frames);
  const windows = windowCount(frames);
  const read = async (): Promise<RgbImage> => {
    times.enter("frame_extraction");
    const next = await frameStream.next();
    times.enter("inference");
    if (next.done) throw new Error("Cannot read the video: it has fewer frames than its header says");
    return next.value;
  };
  const depths = await open(join(call.folder, DEPTHS), "wx", 0o600);
  try {
    let frame = 0;
    const found = find({ width, height, frames, read }, {
      inputSize,
      metric,
      signal: call.signal,
      onProgress: (fraction) => {
        const window = Math.min(windows, 1 + Math.floor(fraction * windows));
        call.progress(0.85 * fraction, `window ${window} of ${windows}`);
      },
    });
    for await (const depth of found) {
      times.enter("export");
      range.add(depth);
      await files.write(await depthFrameExr(frame++, depth, clip));
      await depths.writeFile(new Uint8Array(depth.buffer, depth.byteOffset, depth.byteLength));
      times.enter("inference");
    }
  } finally {
    await depths.close();
  }
  return range;
}

/** Previews in the range of the whole clip, and the video of them. */
async function writePreviews(
  clip: VideoClip,
  sampler: DepthRangeSampler,
  files: ArtifactFolder,
  call: OperationCall<never>,
) {
  const { width, height, frames, fps } = clip;
  const range = sampler.range();
  const depths = await openFileReader(join(call.folder, DEPTHS));
  const size = 4 * width * height;
  const previews = async function* (): AsyncGenerator<RgbImage> {
    for (let frame = 0; frame < frames; frame++) {
      call.signal.throwIfAborted();
      call.progress(0.85 + 0.15 * frame / frames, `preview ${frame + 1} of ${frames}`);
      const bytes = (await depths.read(frame * size, size)).slice();
      const depth = new Float32Array(bytes.buffer);
      await files.write(await depthFramePreview(frame, depth, clip, range));
      yield evenSides(depthPreview(depth, width, height, range));
    }
  };
  const media = localMedia({ runProcess });
  try {
    return await files.write(await reviewVideo(media, previews(), fps));
  } finally {
    await media.close();
    await depths.close();
  }
}

/** Players expect H.264 with even sides: the last row and column are doubled where they are odd. */
function evenSides(image: RgbImage): RgbImage {
  const { width, height, data } = image;
  const [columns, rows] = [width + width % 2, height + height % 2];
  if (columns === width && rows === height) return image;
  const out = new Uint8Array(3 * columns * rows);
  for (let y = 0; y < rows; y++) {
    const from = 3 * width * Math.min(y, height - 1);
    out.set(data.subarray(from, from + 3 * width), 3 * columns * y);
    if (columns > width) {
      out.copyWithin(3 * (columns * y + width), 3 * (columns * y + width - 1), 3 * (columns * y + width));
    }
  }
  return { width: columns, height: rows, data: out };
}

function clipFacts(clip: VideoClip, order: DepthVideoOrder): Record<string, unknown> {
  const { width, height, fps, frames } = clip;
  return {
    model: order.model,
    semantics: order.metric ? "metric-meters" : "affine-relative",
    ...order.checkpoint,
    ...{ width, height, fps, frame_count: frames, window_count: windowCount(frames) },
    temporal_window_length: 32,
    temporal_overlap: 10,
    has_confidence: false,
    has_camera_intrinsics: false,
    has_camera_extrinsics: false,
    has_point_cloud: false,
  };
}
