import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { EncoderError } from "../../../lib/media/video/h264.ts";
import { openMedia } from "../../../lib/media/video/open_media.ts";
import { encodePng } from "../../../lib/media/images/png.ts";
import { siblingModule } from "../../../lib/platform/workers/spawn_worker.ts";
import { clip } from "./clip.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const OPTIONS = { fps: 24, firstFrame: 0, container: "fmp4" } as const;
const dot = { width: 1, height: 1, data: new Uint8Array([1, 2, 3]) };

test("openMedia() continues after failed calls, whose errors keep class and code", async () => {
  const media = openMedia({ encoder: "wasm" });
  try {
    const short = { width: 96, height: 64, count: 12, data: new Uint8Array(5) };
    await assert.rejects(media.encodeChunk(short, OPTIONS), (error) => error instanceof RangeError);
    await assert.rejects(media.encodeChunk(clip(96, 64, 1), { ...OPTIONS, fps: 0 }), /fps is 0, expected more than 0/);
    await assert.rejects(
      media.encodeChunk(clip(96, 64, 1), { ...OPTIONS, firstFrame: -1 }),
      /firstFrame is -1, expected a whole number/,
    );
    await assert.rejects(media.encodeChunk(clip(96, 64, 1), { ...OPTIONS, bitrate: 1 }), /bitrate is 1, expected 1000/);
    await assert.rejects(
      media.decodeImage(new Uint8Array(9)),
      (error) => error instanceof SvcError && error.code === "image_unsupported",
    );
    assert.equal((await media.encodeChunk(clip(96, 64, 2), OPTIONS)).frames, 2);
  } finally {
    await media.close();
  }
});

test("openMedia() reads and writes pictures as this thread does, and leaves the caller's data alone", async () => {
  const media = openMedia();
  try {
    const png = await media.encodePng(dot);
    assert.deepEqual(png, await encodePng(dot));
    assert.deepEqual(await media.decodeImage(png), dot);
    assert.equal(png[0], 0x89);
    assert.deepEqual([...dot.data], [1, 2, 3]);
    const frames = clip(96, 64, 2);
    const part = { ...frames, count: 1, data: Buffer.from(frames.data.buffer, 0, frames.data.length / 2) };
    const [whole, half] = [await media.encodeChunk(frames, OPTIONS), await media.encodeChunk(part, OPTIONS)];
    assert.deepEqual([whole.frames, half.frames], [2, 1]);
    assert.deepEqual(frames, clip(96, 64, 2));
  } finally {
    await media.close();
  }
});

test("openMedia() names the encoders when the wanted one is missing", async () => {
  const media = openMedia({ encoder: "theora" });
  try {
    await assert.rejects(media.prepare(), (error) => {
      assert.ok(error instanceof EncoderError);
      assert.match(error.message, /Cannot open encoder theora: .* expected webcodecs, napi-webcodecs, ffmpeg, wasm/);
      return true;
    });
  } finally {
    await media.close();
  }
});

test("openMedia() shares one worker until the last user closes", async () => {
  const one = openMedia({ encoder: "wasm" });
  const two = openMedia({ encoder: "wasm" });
  await one.prepare();
  await one.close();
  await one.close();
  assert.equal(await two.prepare(), "wasm");
  await two.close();
  await assert.rejects(two.prepare(), /Cannot use media: it is closed/);
});

test("openMedia() rejects the calls under way when its worker dies, and starts another for the next", async () => {
  const media = openMedia({ worker: siblingModule("crashing_worker", import.meta.url) });
  try {
    assert.deepEqual([...await media.encodePng(dot)], [7]);
    const calls = await Promise.allSettled([media.prepare(), media.prepare()]);
    for (const call of calls) {
      assert.equal(call.status, "rejected");
      assert.match(String(call.status === "rejected" && call.reason), /worker media: it has stopped \(.*out of luck/);
    }
    assert.deepEqual([...await media.encodePng(dot)], [7]);
  } finally {
    await media.close();
  }
});

test("close() rejects what the worker still does", async () => {
  const worker = new URL("../../../lib/media/video/media_worker.ts?alone", import.meta.url); // that no other test shares
  const media = openMedia({ encoder: "wasm", worker });
  await media.prepare();
  const call = media.encodeChunk(clip(512, 320, 12), OPTIONS);
  const rejected = assert.rejects(call, /its worker was closed meanwhile/);
  await Promise.all([media.close(), rejected]);
});
