/**
 * Generates the clip of an actionworld move.
 *
 * @module
 */
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import type { ChunkPublisher } from "../session/moves/chunk_publisher.ts";
import type { Job } from "../session/moves/job.ts";
import type { ClipModel, ClipRequest } from "../../models/world/clip_model.ts";

/** Frames of a latent after the first. */
const LATENT_FRAMES = 4;

/** Chunks of a clip: the first frame belongs to the chunk of the four frames after it. */
export function clipChunks(frames: number): number {
  return (frames - 1) / LATENT_FRAMES;
}

/**
 * Runs one clip; its chunks are listed while it is still being decoded.
 * Rejects with the first failure or the reason of the job's signal; a chunk may still be being written then.
 */
export async function runClip(
  model: ClipModel,
  publisher: ChunkPublisher,
  job: Job,
  clip: ClipRequest,
): Promise<void> {
  const total = clip.steps + clipChunks(clip.frames);
  let first: RgbFrames | undefined;
  let decoded = 0;
  await model.generate(clip, {
    signal: publisher.signal,
    onProgress: ({ stage, step, loaded }) =>
      loaded ? job.loading(loaded) : job.progress(stage, step, total, step / total),
    onFrames: (frames) => {
      if (!first && frames.count === 1) {
        first = frames;
        return;
      }
      // A failure aborts the publisher's signal, and with it the clip.
      publisher.add(first && decoded === 0 ? join(first, frames) : frames).catch(() => {});
      decoded++;
      job.progress("decoding", clip.steps + decoded, total, (clip.steps + decoded) / total);
    },
  });
  await publisher.finish();
  job.progress("saving", total, total, 1);
}

function join(a: RgbFrames, b: RgbFrames): RgbFrames {
  const data = new Uint8Array(a.data.length + b.data.length);
  data.set(a.data);
  data.set(b.data, a.data.length);
  return { ...b, count: a.count + b.count, data };
}
