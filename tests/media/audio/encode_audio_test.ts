import assert from "node:assert/strict";
import { test } from "node:test";
import { audioBytes } from "../../../lib/media/audio/audio_source.ts";
import { decodeAudio } from "../../../lib/media/audio/decode_audio.ts";
import { AUDIO_FORMATS, type AudioFormat } from "../../../lib/media/audio/encoding/audio_encoder.ts";
import { ffmpegAudioEncoder, openAudioEncoder } from "../../../lib/media/audio/encoding/open_audio_encoder.ts";
import { pcm16, wavHeader } from "../../../lib/media/audio/encoding/pcm_encoder.ts";

const noPrograms = () => Promise.reject(new Error("spawn ffmpeg ENOENT"));

/** A chord that becomes louder, with an odd number of samples. */
function chord(sampleRate: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => {
    const t = i / sampleRate;
    return 0.3 * Math.min(t * 4, 1) * (Math.sin(2 * Math.PI * 220 * t) + Math.sin(2 * Math.PI * 331 * t));
  });
}

async function encode(format: AudioFormat, parts: readonly Float32Array[], sampleRate: number): Promise<Uint8Array> {
  const written: Uint8Array[] = [];
  const opened = await openAudioEncoder(format, { sampleRate, onBytes: (bytes) => written.push(bytes) }, noPrograms);
  assert.ok(opened.ok, opened.ok ? "" : opened.reason);
  for (const part of parts) await opened.encoder.push(part);
  await opened.encoder.finish();
  return Uint8Array.from(written.flatMap((bytes) => [...bytes]));
}

async function decode(bytes: Uint8Array, sampleRate: number): Promise<number[]> {
  const { samples } = await decodeAudio(audioBytes(bytes), { sampleRate });
  const all: number[] = [];
  for await (const part of samples) all.push(...part);
  return all;
}

/** The best correlation over delays of a codec. */
function likeness(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let best = 0;
  for (let delay = 0; delay < 2600; delay++) {
    let ab = 0, aa = 0, bb = 0;
    for (let i = 4000; i < 12000; i += 3) {
      const x = a[i], y = b[i + delay] ?? 0;
      ab += x * y;
      aa += x * x;
      bb += y * y;
    }
    best = Math.max(best, ab / Math.sqrt(aa * bb));
  }
  return best;
}

for (const format of AUDIO_FORMATS.filter((format) => format !== "pcm")) {
  test(`${format} that was written part by part decodes to the same sound`, async () => {
    const sound = chord(24_000, 24_001);
    const parts = [sound.subarray(0, 1), sound.subarray(1, 1), sound.subarray(1, 7_000), sound.subarray(7_000)];
    const heard = await decode(await encode(format, parts, 24_000), 24_000);
    assert.ok(heard.length >= sound.length && heard.length < sound.length + 4_000, `${heard.length} samples`);
    if (format === "wav" || format === "flac" || format === "opus") assert.equal(heard.length, sound.length);
    assert.ok(likeness(sound, heard) > 0.98, `${likeness(sound, heard)}`);
  });

  test(`${format} of the same sound is the same file`, async () => {
    const sound = chord(24_000, 5_003);
    assert.deepEqual(await encode(format, [sound], 24_000), await encode(format, [sound], 24_000));
  });

  test(`${format} takes sound of one sample and of none`, async () => {
    for (const length of [0, 1]) {
      const bytes = await encode(format, [new Float32Array(length)], 24_000);
      const heard = await decode(bytes, 24_000);
      // A frame of one sample is too short for the reader of FLAC; its header says what was written.
      const written = format === "flac" ? new DataView(bytes.buffer).getUint32(22) : heard.length;
      assert.ok(written >= length && written < length + 4_000, `${written} samples`);
      assert.ok(heard.every((sample) => Math.abs(sample) < 1e-3), `${heard.slice(0, 10)}`);
    }
  });
}

test("opus takes rates that it does not support natively", async () => {
  const sound = chord(22_050, 22_050);
  const heard = await decode(await encode("opus", [sound], 22_050), 22_050);
  assert.ok(Math.abs(heard.length - sound.length) <= 2, `${heard.length} samples`);
  assert.ok(likeness(sound, heard) > 0.98);
});

test("samples of 16 bits are clipped, and NaN becomes silence", () => {
  const bytes = pcm16(Float32Array.of(0, 1, -1, 2, -2, NaN, Infinity, 0.5));
  assert.deepEqual([...new Int16Array(bytes.buffer)], [0, 32767, -32767, 32767, -32767, 0, 32767, 16384]);
});

test("the header of a WAV file says its length where it is known", () => {
  const sizes = (length: number | undefined) => {
    const view = new DataView(wavHeader({ sampleRate: 24_000, length }).buffer);
    return [view.getUint32(4, true), view.getUint32(40, true)];
  };
  assert.deepEqual(sizes(10), [56, 20]);
  assert.deepEqual(sizes(0), [36, 0]);
  assert.deepEqual(sizes(undefined), [0xffffffff, 0xffffffff]);
  assert.deepEqual(sizes(2 ** 31), [0xffffffff, 0xffffffff]);
});

test("pcm has no header", async () => {
  assert.deepEqual([...await encode("pcm", [Float32Array.of(1)], 24_000)], [255, 127]);
});

test("ffmpeg gets samples of 16 bits and its file comes at the end", async () => {
  const calls: (readonly string[])[] = [];
  const written: Uint8Array[] = [];
  const encoder = await ffmpegAudioEncoder(
    "mp3",
    { sampleRate: 24_000, onBytes: (bytes) => written.push(bytes) },
    (_, args, stdin) => {
      calls.push(args);
      return Promise.resolve({ code: 0, stdout: stdin, stderr: "" });
    },
  );
  await encoder.push(Float32Array.of(1));
  assert.equal(written.length, 0);
  await encoder.finish();
  assert.deepEqual(written.map((bytes) => [...bytes]), [[255, 127]]);
  assert.ok(calls[1].includes("24000") && calls[1].includes("libmp3lame"));
});

test("an ffmpeg that fails says why", async () => {
  const encoder = await ffmpegAudioEncoder(
    "opus",
    { sampleRate: 24_000, onBytes: () => {} },
    (_, args) =>
      Promise.resolve({ code: args.length === 1 ? 0 : 8, stdout: new Uint8Array(), stderr: "a\nno libopus\n" }),
  );
  await assert.rejects(encoder.finish(), /Cannot encode opus: ffmpeg ended with status 8 \(no libopus\)/);
});

test("without any encoder the reasons and what to install are named", async () => {
  await assert.rejects(ffmpegAudioEncoder("mp3", { sampleRate: 24_000, onBytes: () => {} }, noPrograms), /ENOENT/);
  // A sample rate that no resampler takes makes the first encoder fail as a missing package does.
  const opened = await openAudioEncoder("opus", { sampleRate: 1, onBytes: () => {} }, noPrograms);
  assert.ok(!opened.ok);
  assert.match(opened.reason, /Cannot encode opus: no encoder works \(opusscript: .*; ffmpeg: spawn ffmpeg ENOENT\)/);
  assert.equal(opened.remedy, 'run "npm install opusscript", put ffmpeg on PATH, or ask for wav');
});
