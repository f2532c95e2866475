import assert from "node:assert/strict";
import { test } from "node:test";
import { openChunkEncoder } from "../../lib/media/open_chunk_encoder.ts";
import { readVideoFrames } from "../../lib/media/read_video_frames.ts";
import type { RgbFrames } from "../../lib/media/rgb_image.ts";
import { runProcess } from "../../lib/runtime/run_process.ts";

/** Smooth moving colours: what survives 4:2:0. */
function clip(width: number, height: number, count: number): RgbFrames {
  const data = new Uint8Array(count * width * height * 3);
  let at = 0;
  for (let frame = 0; frame < count; frame++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        data[at++] = 128 + 100 * Math.sin((x + frame * 3) / 17);
        data[at++] = 128 + 100 * Math.cos((y - frame) / 13);
        data[at++] = 40 + 12 * frame;
      }
    }
  }
  return { width, height, count, data };
}

function psnr(a: Uint8Array, b: Uint8Array): number {
  assert.equal(a.length, b.length);
  const squares = a.reduce((sum, value, index) => sum + (value - b[index]!) ** 2, 0);
  return 10 * Math.log10(255 ** 2 * a.length / squares);
}

async function video(frames: RgbFrames): Promise<Uint8Array> {
  const encoder = await openChunkEncoder({ runProcess, encoder: "napi-webcodecs" });
  const { bytes } = await encoder.encode(frames, { fps: 16, firstFrame: 0, container: "mp4" });
  await encoder.close();
  return bytes;
}

test("readVideoFrames() gives the chosen frames, and the same pictures that were encoded", async () => {
  const frames = clip(96, 64, 12);
  const read = await readVideoFrames(await video(frames), [0, 5, 11]);
  assert.ok(read.ok);
  const { width, height, count, data } = read.frames;
  assert.deepEqual([width, height, count], [96, 64, 3]);
  const size = 96 * 64 * 3;
  for (const [place, index] of [0, 5, 11].entries()) {
    const original = frames.data.subarray(index * size, (index + 1) * size);
    const decibels = psnr(data.subarray(place * size, (place + 1) * size), original);
    assert.ok(decibels > 35, `frame ${index}: ${decibels} dB`);
  }
});

test("readVideoFrames() refuses a frame beyond the end of the video", async () => {
  await assert.rejects(readVideoFrames(await video(clip(64, 64, 2)), [2]), {
    message: "Cannot read frame 2: the video has 2 frames",
  });
});

test("readVideoFrames() rejects when the file is no video", async () => {
  await assert.rejects(readVideoFrames(new Uint8Array(100), [0]));
});
