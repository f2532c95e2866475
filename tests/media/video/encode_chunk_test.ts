import assert from "node:assert/strict";
import process from "node:process";
import { after, test } from "node:test";
import type { Media } from "../../../lib/media/video/media.ts";
import { openMedia } from "../../../lib/media/video/open_media.ts";
import { tagBt709 } from "../../../lib/media/video/encoders/tag_bt709.ts";
import { boxes, clip, mp4Facts, psnr } from "./clip.ts";

const BT709 = { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false };
const opened: Media[] = [];

/** Media with just one encoder, or why it cannot be had on this machine. Only wasm is there without fail. */
async function tryEncoder(encoder: string): Promise<{ media: Media; skip: string | false }> {
  const media = openMedia({ encoder });
  opened.push(media);
  return {
    media,
    skip: await media.prepare().then(() => false as const, (error) => encoder !== "wasm" && String(error.message)),
  };
}

after(async () => {
  for (const media of opened) await media.close();
});

for (const encoder of ["napi-webcodecs", "ffmpeg", "wasm"]) {
  const { media, skip } = await tryEncoder(encoder);

  // @row world-session > Chunks > Self-contained, with absolute times; the output is one plain file
  test(`encodeChunk() by ${encoder} writes every frame at its absolute time`, { skip }, async () => {
    for (const [count, fps, firstFrame] of [[9, 16, 0], [12, 24, 9], [13, 30, 1_000_005], [1, 24, 5]]) {
      const options = { fps, firstFrame, container: "fmp4" } as const;
      const chunk = await media.encodeChunk(clip(96, 64, count), options);
      const facts = await mp4Facts(chunk.bytes);
      assert.equal(facts.times.length, count);
      for (const [i, time] of facts.times.entries()) {
        assert.ok(Math.abs(time - (firstFrame + i) / fps) < 1e-9, `${time}`);
      }
      assert.ok(Math.abs(facts.end - (firstFrame + count) / fps) < 1e-9, `ends at ${facts.end}`);
      assert.ok(facts.firstIsKey);
      assert.deepEqual([facts.width, facts.height], [96, 64]);
      assert.deepEqual([chunk.frames, chunk.duration, chunk.codec], [count, count / fps, facts.codec]);
      assert.match(chunk.codec, /^avc1\.[0-9a-f]{6}$/);
    }
  });

  test(
    `encodeChunk() by ${encoder} writes self-contained fragments or a plain file with its index in front`,
    { skip },
    async () => {
      const options = { fps: 24, firstFrame: 0 } as const;
      const fragmented = await media.encodeChunk(clip(96, 64, 12), { ...options, container: "fmp4" });
      const names = boxes(fragmented.bytes);
      assert.deepEqual(names.slice(0, 4), ["ftyp", "moov", "moof", "mdat"]);
      const plain = await media.encodeChunk(clip(96, 64, 12), { ...options, container: "mp4" });
      assert.deepEqual(boxes(plain.bytes), ["ftyp", "moov", "mdat"]);
      assert.equal((await mp4Facts(plain.bytes)).times.length, 12);
    },
  );

  test(
    `encodeChunk() by ${encoder} tags BT.709 limited range in the container and in the stream`,
    { skip },
    async () => {
      const { bytes } = await media.encodeChunk(clip(96, 64, 2), { fps: 24, firstFrame: 0, container: "fmp4" });
      const { colour, record } = await mp4Facts(bytes);
      assert.deepEqual({ ...colour }, BT709);
      assert.deepEqual(tagBt709(record), record);
    },
  );

  test(`encodeChunk() by ${encoder} keeps the pictures above 35 dB`, { skip }, async (t) => {
    for (const [width, height] of [[96, 64], [128, 96], [512, 320]]) {
      const frames = clip(width, height, 12);
      const { bytes } = await media.encodeChunk(frames, { fps: 24, firstFrame: 0, container: "mp4" });
      const read = await media.readVideoFrames(bytes, [...Array(12).keys()]);
      if (!read.ok) return t.skip(read.reason);
      const decibels = psnr(read.frames.data, frames.data);
      assert.ok(decibels > 35, `${width}x${height}: ${decibels} dB`);
      t.diagnostic?.(`${encoder} ${width}x${height}: ${decibels.toFixed(1)} dB, ${bytes.length} bytes`);
    }
  });

  test(`encodeChunk() by ${encoder} gives equal bytes for equal frames, whatever came between`, { skip }, async () => {
    const options = { fps: 24, firstFrame: 12, container: "fmp4" } as const;
    const first = await media.encodeChunk(clip(96, 64, 12), options);
    await media.encodeChunk(clip(64, 48, 3), options);
    const again = await media.encodeChunk(clip(96, 64, 12), options);
    assert.deepEqual(again, first);
  });

  test(`encodeChunk() by ${encoder} repeats the last column and row when a size is odd`, { skip }, async () => {
    const { bytes } = await media.encodeChunk(clip(97, 65, 3), { fps: 24, firstFrame: 0, container: "fmp4" });
    const facts = await mp4Facts(bytes);
    assert.deepEqual([facts.width, facts.height, facts.times.length], [98, 66, 3]);
  });

  test(`encodeChunk() by ${encoder} spends more bytes at a higher bit rate`, { skip }, async () => {
    const options = { fps: 24, firstFrame: 0, container: "fmp4" } as const;
    const small = await media.encodeChunk(clip(256, 160, 12), { ...options, bitrate: 50_000 });
    const large = await media.encodeChunk(clip(256, 160, 12), { ...options, bitrate: 800_000 });
    assert.ok(large.bytes.length > small.bytes.length * 1.3, `${small.bytes.length}, ${large.bytes.length}`);
  });

  // @row world-session > Chunks > Self-contained, with absolute times; the output is one plain file
  test(`joinChunks() makes one plain file of the chunks by ${encoder}`, { skip }, async () => {
    const chunks = await Promise.all(
      [[0, 9], [9, 12], [21, 12]].map(([firstFrame, count]) =>
        media.encodeChunk(clip(96, 64, count), { fps: 24, firstFrame, container: "fmp4" })
      ),
    );
    const film = await media.joinChunks(chunks.map(({ bytes }) => bytes), { fps: 24 });
    const facts = await mp4Facts(film.bytes);
    assert.deepEqual(boxes(film.bytes), ["ftyp", "moov", "mdat"]);
    assert.equal(facts.times.length, 33);
    for (const [i, time] of facts.times.entries()) assert.ok(Math.abs(time - i / 24) < 1e-9);
    assert.ok(Math.abs(facts.end - 33 / 24) < 1e-9);
    assert.deepEqual({ ...facts.colour }, BT709);
    assert.deepEqual([film.frames, film.duration, film.codec], [33, 33 / 24, chunks[0].codec]);
    const all = await media.readVideoFrames(film.bytes, [8, 9, 32]);
    const one = await media.readVideoFrames(chunks[2].bytes, [11]);
    if (all.ok && one.ok) assert.deepEqual(all.frames.data.subarray(-one.frames.data.length), one.frames.data);
  });
}

test("joinChunks() shows a repeated frame once, and each chunk at its own rate", async () => {
  const { media } = await tryEncoder("wasm");
  const chunks = await Promise.all(
    [[5, 24], [4, 24], [3, 12]].map(([count, fps]) =>
      media.encodeChunk(clip(96, 64, count), { fps, firstFrame: 0, container: "fmp4" })
    ),
  );
  const film = await media.joinChunks(chunks.map(({ bytes }) => bytes), { fps: [24, 24, 12], overlaps: [1, 2] });
  const { times, end } = await mp4Facts(film.bytes);
  const expected = [...Array.from({ length: 7 }, (_, i) => i / 24), 7 / 24, 7 / 24 + 1 / 12, 7 / 24 + 2 / 12];
  assert.equal(film.frames, 10);
  for (const [i, time] of times.entries()) assert.ok(Math.abs(time - expected[i]) < 1e-4, `${times}`);
  assert.ok(Math.abs(end - (7 / 24 + 3 / 12)) < 1e-4 && Math.abs(film.duration - end) < 1e-4);
  const all = await media.readVideoFrames(film.bytes, [4, 7]);
  const first = await Promise.all(chunks.slice(1).map(({ bytes }) => media.readVideoFrames(bytes, [0])));
  if (all.ok && first.every((one) => one.ok)) {
    const size = all.frames.data.length / 2;
    for (const [i, one] of first.entries()) {
      assert.deepEqual(all.frames.data.subarray(size * i, size * (i + 1)), one.frames.data);
    }
  }
});

test("joinChunks() refuses an empty list, other files, and chunks that do not fit together", async () => {
  const { media } = await tryEncoder("wasm");
  const options = { fps: 24, firstFrame: 0, container: "fmp4" } as const;
  const small = await media.encodeChunk(clip(64, 48, 2), options);
  const large = await media.encodeChunk(clip(96, 64, 2), options);
  await assert.rejects(media.joinChunks([], { fps: 24 }), /Cannot join chunks: there is no chunk/);
  await assert.rejects(media.joinChunks([new Uint8Array(100)], { fps: 24 }), /Cannot read MP4/);
  await assert.rejects(media.joinChunks([small.bytes, large.bytes], { fps: 24 }), /chunk 1 has other decoder settings/);
  await assert.rejects(media.joinChunks([small.bytes.subarray(0, 700)], { fps: 24 }), Error);
});

test("openMedia() leaves no listener of the wasm package in this thread", async () => {
  const listeners = (): number[] => [
    process.listenerCount("uncaughtException"),
    process.listenerCount("unhandledRejection"),
  ];
  const before = listeners(); // the test runner of Node has its own
  const { media } = await tryEncoder("wasm");
  await media.encodeChunk(clip(64, 48, 2), { fps: 24, firstFrame: 0, container: "fmp4" });
  assert.deepEqual(listeners(), before);
});
