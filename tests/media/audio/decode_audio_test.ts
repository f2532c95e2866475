import assert from "node:assert/strict";
import { test } from "node:test";
import { audioBytes, type AudioSource } from "../../../lib/media/audio/audio_source.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { decodeAudio } from "../../../lib/media/audio/decode_audio.ts";
import { chunk, letters, pcm16, wavFile } from "./wav_file.ts";

async function decode(bytes: Uint8Array, maxSeconds?: number): Promise<{ format: string; samples: number[] }> {
  const options = { sampleRate: 16_000, ...maxSeconds !== undefined && { maxSeconds } };
  const { format, samples } = await decodeAudio(audioBytes(bytes), options);
  const all: number[] = [];
  for await (const part of samples) all.push(...part);
  return { format, samples: all };
}

async function refusal(bytes: Uint8Array): Promise<SvcError> {
  const error = await decode(bytes).catch((error) => error);
  assert.ok(error instanceof SvcError, `${error}`);
  return error;
}

const close = (actual: readonly number[], expected: readonly number[], tolerance: number) => {
  assert.equal(actual.length, expected.length);
  for (const [i, value] of actual.entries()) assert.ok(Math.abs(value - expected[i]) <= tolerance, `${i}: ${value}`);
};

const wave = [0, 0.5, -0.5, 0.25, -1, 0.999, 0.1, 0];
const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const int24 = wave.flatMap((v) => {
  const value = Math.round(v * 8_388_607);
  return [value & 255, (value >> 8) & 255, (value >> 16) & 255];
});

const encodings: readonly (readonly [string, number, number, Uint8Array, number])[] = [
  ["8-bit PCM", 1, 8, Uint8Array.from(wave, (v) => Math.round(v * 127) + 128), 0.01],
  ["16-bit PCM", 1, 16, pcm16(wave), 1e-4],
  ["24-bit PCM", 1, 24, Uint8Array.from(int24), 1e-6],
  ["32-bit PCM", 1, 32, bytesOf(Int32Array.from(wave, (v) => Math.round(v * 2_147_483_647))), 1e-6],
  ["32-bit float", 3, 32, bytesOf(Float32Array.from(wave)), 1e-6],
  ["64-bit float", 3, 64, bytesOf(Float64Array.from(wave)), 1e-6],
];

for (const [name, tag, bits, samples, tolerance] of encodings) {
  for (const extensible of [false, true]) {
    test(`WAV with ${name}${extensible ? ", extensible" : ""}`, async () => {
      const { format, samples: found } = await decode(wavFile(samples, { tag, bits, extensible }));
      assert.equal(format, `WAV (${name})`);
      close(found, wave, tolerance);
    });
  }
}

test("20 bits are at the upper end of three bytes", async () => {
  const { samples } = await decode(wavFile(Uint8Array.from(int24), { tag: 1, bits: 20, extensible: true }));
  close(samples, wave, 1e-5);
});

test("A-law and μ-law follow the tables of G.711", async () => {
  const law = async (tag: number, code: number) =>
    (await decode(wavFile(Uint8Array.of(code), { tag, bits: 8 }))).samples[0] * 32_768;
  assert.deepEqual(await Promise.all([0xd5, 0x55, 0xaa, 0x2a].map((code) => law(6, code))), [8, -8, 32_256, -32_256]);
  assert.deepEqual(await Promise.all([0xff, 0x7f, 0x80, 0x00].map((code) => law(7, code))), [0, 0, 32_124, -32_124]);
});

test("chunks of odd sizes, filled up or not, and chunks of others are passed over", async () => {
  const expected = (await decode(wavFile(pcm16(wave), { tag: 1, bits: 16 }))).samples;
  const odd = wavFile(pcm16(wave), { tag: 1, bits: 16, before: [["LIST", 7], ["JUNK", 0], ["bext", 603]] });
  assert.deepEqual((await decode(odd)).samples, expected);
  // The byte after the seven of LIST is at 12 + 8 + 7.
  const unfilled = Uint8Array.from([...odd.subarray(0, 27), ...odd.subarray(28)]);
  assert.deepEqual((await decode(unfilled)).samples, expected);
});

test("an unknown size extends to the end of the file, as does one beyond it", async () => {
  const expected = (await decode(wavFile(pcm16(wave), { tag: 1, bits: 16 }))).samples;
  for (const size of [0, 0xffffffff, 1_000_000]) {
    assert.deepEqual((await decode(wavFile(pcm16(wave), { tag: 1, bits: 16, size }))).samples, expected);
  }
  const wide = wavFile(pcm16(wave), { tag: 1, bits: 16, size: 0xffffffff, id: "RF64" });
  assert.deepEqual((await decode(wide)).samples, expected);
});

test("a last frame that is cut off is left out", async () => {
  const whole = wavFile(pcm16(wave), { tag: 1, bits: 16 });
  assert.equal((await decode(whole.subarray(0, whole.length - 3))).samples.length, wave.length - 2);
});

for (const count of [0, 1, 2, 3, 100]) {
  test(`a file of ${count} samples gives as many`, async () => {
    const { samples } = await decode(wavFile(pcm16(new Array(count).fill(0.5)), { tag: 1, bits: 16 }));
    assert.equal(samples.length, count);
  });
}

test("seven channels become their mean", async () => {
  const frame = [0.7, 0, -0.35, 0.1, 0.2, 0.3, -0.25];
  const bytes = wavFile(pcm16([...frame, ...frame]), { tag: 1, bits: 16, channels: 7 });
  close((await decode(bytes)).samples, [0.1, 0.1], 1e-4);
});

for (const sampleRate of [1000, 8000, 11_025, 44_100, 192_000, 768_000]) {
  test(`${sampleRate} Hz become 16 kHz`, async () => {
    const bytes = wavFile(pcm16(new Array(sampleRate).fill(0)), { tag: 1, bits: 16, sampleRate });
    assert.equal((await decode(bytes)).samples.length, 16_000);
  });
}

test("NaN is silence, and what is too loud is clipped", async () => {
  const odd = Float32Array.of(NaN, Infinity, -Infinity, 1e38, -7, 0.5, -NaN, 1e-45);
  const { samples } = await decode(wavFile(bytesOf(odd), { tag: 3, bits: 32 }));
  close(samples, [0, 1, -1, 1, -1, 0.5, 0, 0], 1e-6);
});

test("AIFF: big and little endian, floats, an offset of the samples, a rate as an 80-bit float", async () => {
  const rate = [0x40, 0x0c, 0xfa, 0, 0, 0, 0, 0, 0, 0]; // 16000
  const aiff = (kind: string, bits: number, compression: string, samples: readonly number[], offset = 0) => {
    const common = [0, 1, 0, 0, 0, wave.length, 0, bits, ...rate, ...letters(compression), 0, 0];
    const sound = [0, 0, 0, offset, 0, 0, 0, 0, ...new Array(offset).fill(9), ...samples];
    const part = (id: string, data: readonly number[]) => {
      const [a, b, c, d] = chunk(id, data).slice(4, 8);
      return [...letters(id), d, c, b, a, ...data, ...data.length % 2 ? [0] : []];
    };
    return Uint8Array.from([
      ...letters("FORM\0\0\0\0"),
      ...letters(kind),
      ...part("COMM", kind === "AIFF" ? common.slice(0, 18) : common),
      ...part("SSND", sound),
    ]);
  };
  const big = [...pcm16(wave)].map((_, i, all) => all[i ^ 1]);
  close((await decode(aiff("AIFF", 16, "", big))).samples, wave, 1e-4);
  close((await decode(aiff("AIFC", 16, "NONE", big, 5))).samples, wave, 1e-4);
  close((await decode(aiff("AIFC", 16, "sowt", [...pcm16(wave)]))).samples, wave, 1e-4);
  const floats = [...bytesOf(Float32Array.from(wave))].map((_, i, all) => all[i ^ 3]);
  close((await decode(aiff("AIFC", 32, "fl32", floats))).samples, wave, 1e-6);
  assert.match((await refusal(Uint8Array.from(letters("FORM\0\0\0\0AIFF")))).message, /AIFF file/);
});

const png = letters("\x89PNG\r\n\x1a\n0000");
const strange: readonly (readonly [string, readonly number[]])[] = [
  ["a PNG image", png],
  ["a JPEG image", [0xff, 0xd8, 0xff, 0xe0, 0, 16]],
  ["an AVIF image", [0, 0, 0, 32, ...letters("ftypavif")]],
  ["a HEIC image", [0, 0, 0, 32, ...letters("ftypheic")]],
  ["a PDF document", letters("%PDF-1.7")],
  ["a ZIP archive or an office document", letters("PK\x03\x04")],
  ["a MIDI file, which holds notes and no sound", letters("MThd\0\0\0\x06")],
  ["an HTML page", letters("<!DOCTYPE html><title>404</title>")],
  ["an SVG image", letters("<svg xmlns='x'/>")],
  ["a playlist", letters("#EXTM3U\nhttp://example.org/a.ts")],
  ["JSON text", letters('{"a": 1}')],
  ["text", letters("Good morning.")],
  ["empty", []],
  ["nothing but zeros", new Array(500).fill(0)],
  ["of no known format", [0x93, 0x01, 0xfe, 0x88, 0x00, 0x17]],
];

for (const [name, bytes] of strange) {
  test(`a file that is not audio is refused: ${name}`, async () => {
    const error = await refusal(Uint8Array.from(bytes));
    assert.equal(error.code, "audio_unsupported");
    assert.equal(
      error.message,
      `Cannot read the sound: the file is ${name}, expected WAV, MP3, M4A, AAC, FLAC, Ogg, WebM or AIFF`,
    );
  });
}

test("headers that cannot be true are refused at once", async () => {
  const samples = pcm16(wave);
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [wavFile(samples, { tag: 1, bits: 16, channels: 0 }), /it has 0 channels, expected 1 to 64/],
    [wavFile(samples, { tag: 1, bits: 16, channels: 1000 }), /it has 1000 channels/],
    [wavFile(samples, { tag: 1, bits: 16, sampleRate: 0 }), /its sample rate is 0 Hz, expected 1000 to 768000 Hz/],
    [wavFile(samples, { tag: 1, bits: 16, sampleRate: 4_000_000_000 }), /sample rate is 4000000000 Hz/],
    [Uint8Array.from(letters("RIFF\0\0\0\0WAVE")), /it has no format and no samples/],
    [Uint8Array.from([...letters("RIFF\0\0\0\0WAVE"), ...chunk("data", [1, 2])]), /come before the chunk "fmt "/],
    [Uint8Array.from([...letters("RIFF\0\0\0\0WAVE"), ...chunk("fmt ", [1, 0])]), /takes 2 bytes/],
  ];
  for (const [bytes, message] of cases) {
    const error = await refusal(bytes);
    assert.equal(error.code, "audio_damaged");
    assert.match(error.message, message);
  }
});

test("a file of nothing but small chunks is given up soon", async () => {
  const many = new Uint8Array(12 + 8 * 100_000);
  many.set(letters("RIFF\0\0\0\0WAVE"));
  let reads = 0;
  const source: AudioSource = {
    size: many.length,
    read: (at, length) => (reads++, Promise.resolve(many.subarray(at, at + length))),
  };
  await assert.rejects(decodeAudio(source, { sampleRate: 16_000 }), /more than 4096 chunks/);
  assert.ok(reads < 5000);
});

test("sound that is too long is refused by its header, and where that says nothing while it is decoded", async () => {
  const long = wavFile(new Uint8Array(16_000 * 10), { tag: 1, bits: 8 });
  await assert.rejects(decode(long, 5), {
    code: "audio_too_long",
    message: /lasts 10 s or more, expected at most 5 s/,
  });
  assert.equal((await decode(long, 10)).samples.length, 160_000);
});

test("no more than a few seconds are held of a long file", async () => {
  const header = wavFile(new Uint8Array(), { tag: 1, bits: 16, sampleRate: 48_000, channels: 2, size: 0xffffffff });
  const size = header.length + 3600 * 48_000 * 4;
  let largest = 0;
  const source: AudioSource = {
    size,
    read(at, length) {
      largest = Math.max(largest, length);
      const count = Math.max(Math.min(length, size - at), 0);
      const bytes = new Uint8Array(count);
      bytes.set(header.subarray(at, at + count));
      return Promise.resolve(bytes);
    },
  };
  const { samples, duration } = await decodeAudio(source, { sampleRate: 16_000 });
  assert.equal(duration, 3600);
  let count = 0;
  for await (const part of samples) {
    count += part.length;
    assert.ok(part.length < 4 * 16_000);
    if (count > 60 * 16_000) break;
  }
  assert.ok(largest < 1024 * 1024);
});
