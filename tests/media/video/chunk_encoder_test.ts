import assert from "node:assert/strict";
import { test } from "node:test";
import { ffmpegEncoder } from "../../../lib/media/video/encoders/mp4_encoders.ts";
import { defaultBitrate, EncoderError, type H264Encoder } from "../../../lib/media/video/h264.ts";
import { chunkEncoder, openChunkEncoder } from "../../../lib/media/video/encoders/open_chunk_encoder.ts";
import { rgbToI420 } from "../../../lib/media/video/i420.ts";
import { type WebCodecs, webCodecsEncoder } from "../../../lib/media/video/encoders/webcodecs_encoder.ts";
import { clip } from "./clip.ts";

const OPTIONS = { fps: 24, firstFrame: 0, container: "fmp4" } as const;

/** An encoder that gives packets of these types, whatever it is given. */
const fake = (...types: ("key" | "delta")[]): H264Encoder => ({
  name: "fake",
  encode: () =>
    Promise.resolve({
      config: { codec: "avc1.42000a" },
      packets: types.map((type) => ({ type, data: new Uint8Array(1) })),
    }),
});

test("chunkEncoder() refuses a stream that has not one packet a frame or begins without a key frame", async () => {
  const frames = clip(16, 16, 2);
  await assert.rejects(
    chunkEncoder(fake("key")).encode(frames, OPTIONS),
    /fake returned 1 packets, .* expected 2 starting with/,
  );
  await assert.rejects(chunkEncoder(fake("delta", "key")).encode(frames, OPTIONS), /the first a delta frame/);
  await assert.rejects(chunkEncoder(fake()).encode(frames, OPTIONS), EncoderError);
});

test("chunkEncoder() does nothing once it is closed", async () => {
  const encoder = chunkEncoder(fake("key"));
  await encoder.close();
  await encoder.close();
  await assert.rejects(encoder.encode(clip(16, 16, 1), OPTIONS), /the encoder is closed/);
});

test("openChunkEncoder() gives the reason when the only encoder is missing", async () => {
  const runProcess = () => Promise.reject(new Error("spawn ffmpeg ENOENT"));
  await assert.rejects(openChunkEncoder({ encoder: "ffmpeg", runProcess }), {
    name: "EncoderError",
    message: "Cannot open H.264 encoder: ffmpeg: spawn ffmpeg ENOENT",
  });
});

test("ffmpegEncoder() gives status and last line when ffmpeg fails", async () => {
  const stderr = "Stream mapping\nUnknown encoder 'libx264'\n";
  const encoder = ffmpegEncoder(() => Promise.resolve({ code: 1, stdout: new Uint8Array(), stderr }));
  await assert.rejects(encoder.encode(rgbToI420(clip(16, 16, 1)), { fps: 24 }), {
    name: "EncoderError",
    message: "Cannot encode chunk: ffmpeg exited with status 1 (Unknown encoder 'libx264')",
  });
});

/** WebCodecs that support codecs beginning with `prefix` and fail with `error` when asked for anything. */
function codecs(prefix: string, error: Error): { codecs: WebCodecs; used: string[] } {
  const used: string[] = [];
  class FakeEncoder {
    static isConfigSupported({ codec }: VideoEncoderConfig) {
      return Promise.resolve({ supported: codec.startsWith(prefix) });
    }
    readonly #report: (error: Error) => void;
    state = "configured";
    constructor(init: { error: (error: Error) => void }) {
      this.#report = init.error;
    }
    configure({ codec }: VideoEncoderConfig) {
      used.push(codec);
    }
    encode() {}
    flush() {
      this.#report(error);
      return Promise.reject(new Error("aborted"));
    }
    close() {
      this.state = "closed";
    }
  }
  class FakeFrame {
    close() {}
  }
  return { used, codecs: { VideoEncoder: FakeEncoder, VideoFrame: FakeFrame } as unknown as WebCodecs };
}

test("webCodecsEncoder() takes the best profile that is supported, and forwards errors of the encoder", async () => {
  const { codecs: only, used } = codecs("avc1.42", new Error("the encoder broke"));
  const encoder = webCodecsEncoder("fake", only);
  await assert.rejects(encoder.encode(rgbToI420(clip(16, 16, 1)), { fps: 24 }), /the encoder broke/);
  assert.deepEqual(used, ["avc1.42e028"]);
});

test("webCodecsEncoder() refuses when no H.264 profile is supported", async () => {
  const encoder = webCodecsEncoder("fake", codecs("vp8", new Error()).codecs);
  await assert.rejects(
    encoder.encode(rgbToI420(clip(16, 16, 1)), { fps: 24 }),
    /no H.264 profile is supported at 16x16/,
  );
});

test("defaultBitrate() is 12 Mbit/s at 1280x704, follows the pixels below their proportion, and has a floor", () => {
  assert.equal(defaultBitrate(1280, 704, 24), 12e6);
  assert.equal(defaultBitrate(96, 64, 24), 0.5e6);
  const middle = defaultBitrate(512, 320, 24);
  assert.ok(middle > 12e6 * 512 * 320 / (1280 * 704) && middle < 6e6, `${middle}`);
});
