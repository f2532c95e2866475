import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openMedia } from "../../../lib/media/video/open_media.ts";
import { readVideoFrames } from "../../../lib/media/video/read_video_frames.ts";
import { clip, psnr } from "./clip.ts";

const media = openMedia();

after(() => media.close());

async function video(width: number, height: number, count: number): Promise<Uint8Array> {
  const options = { fps: 16, firstFrame: 0, container: "mp4" } as const;
  return (await media.encodeChunk(clip(width, height, count), options)).bytes;
}

test("readVideoFrames() gives the chosen frames, and the same pictures that were encoded", async (t) => {
  const frames = clip(96, 64, 12);
  const read = await readVideoFrames(await video(96, 64, 12), [0, 5, 11]);
  if (!read.ok) return t.skip(read.reason);
  const { width, height, count, data } = read.frames;
  assert.deepEqual([width, height, count], [96, 64, 3]);
  const size = 96 * 64 * 3;
  for (const [place, index] of [0, 5, 11].entries()) {
    const original = frames.data.subarray(index * size, (index + 1) * size);
    const decibels = psnr(data.subarray(place * size, (place + 1) * size), original);
    assert.ok(decibels > 35, `frame ${index}: ${decibels} dB`);
  }
});

test("readVideoFrames() refuses a frame beyond the end of the video", async (t) => {
  const bytes = await video(64, 64, 2);
  const read = await readVideoFrames(bytes, [1]);
  if (!read.ok) return t.skip(read.reason);
  await assert.rejects(readVideoFrames(bytes, [2]), {
    name: "RangeError",
    message: "Cannot read frame 2: the video has 2 frames",
  });
});

test("readVideoFrames() rejects when the file is not a video", async (t) => {
  const read = await readVideoFrames(await video(64, 64, 1), [0]);
  if (!read.ok) return t.skip(read.reason);
  await assert.rejects(readVideoFrames(new Uint8Array(100), [0]), /Cannot read MP4/);
});

test("readVideoFrames() rejects when the pictures are damaged, and reads the next video", async (t) => {
  const bytes = await video(96, 64, 3);
  const read = await readVideoFrames(bytes, [0]);
  if (!read.ok) return t.skip(read.reason);
  const damaged = bytes.slice();
  damaged.fill(0xff, damaged.length / 4); // a decoder conceals less
  await assert.rejects(readVideoFrames(damaged, [0, 1, 2]), Error);
  assert.ok((await readVideoFrames(bytes, [2])).ok);
});
