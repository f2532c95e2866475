import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { audioBytes } from "../../../lib/media/audio/audio_source.ts";
import { decodeAudio } from "../../../lib/media/audio/decode_audio.ts";
import { recogniseSound } from "../../../lib/media/audio/decoding/open_audio.ts";
import { chunk, letters, pcm16, wavFile } from "./wav_file.ts";

const folder = new URL("../../fixtures/sounds/", import.meta.url);
const fixture = async (name: string) => new Uint8Array(await readFile(new URL(name, folder)));

/** The format of a file, its seconds, and how loud it is in its middle. */
async function heard(bytes: Uint8Array): Promise<{ format: string; seconds: number; loud: boolean }> {
  const { format, samples } = await decodeAudio(audioBytes(bytes), { sampleRate: 16_000 });
  const all: number[] = [];
  for await (const part of samples) all.push(...part);
  const middle = all.slice(Math.floor(all.length * 0.3), Math.ceil(all.length * 0.7));
  return { format, seconds: all.length / 16_000, loud: Math.max(...middle.map(Math.abs)) > 0.1 };
}

function join(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** An ID3v2 tag of so many bytes, with a footer if its flag is set; `said` is a size that is not true. */
function id3(size: number, flags = 0, said = size): number[] {
  const sizes = [21, 14, 7, 0].map((shift) => (said >> shift) & 0x7f);
  const footer = flags & 0x10 ? [...letters("3DI"), 4, 0, flags, ...sizes] : [];
  return [
    ...letters("ID3"),
    4,
    0,
    flags,
    ...sizes,
    ...new Array(size).fill(0).map((_, i) => (i * 7) & 0x7f),
    ...footer,
  ];
}

const tone = pcm16(Array.from({ length: 8000 }, (_, i) => 0.4 * Math.sin(i / 3)));

test("samples of a WAV file whose size is 0, unknown or too large last until the end of the file", async () => {
  for (const size of [0, 0xffffffff, 0xfffffffe, 0x7fffffff, tone.length + 1]) {
    const whole = wavFile(tone, { tag: 1, bits: 16, size });
    for (const riff of [0, 36, 36 + tone.length, 0xffffffff]) {
      new DataView(whole.buffer).setUint32(4, riff, true);
      assert.deepEqual(await heard(whole), { format: "WAV (16-bit PCM)", seconds: 0.5, loud: true }, `${size} ${riff}`);
    }
  }
  const wide = wavFile(tone, { tag: 1, bits: 16, id: "RF64", size: 0xffffffff });
  assert.equal((await heard(wide)).seconds, 0.5);
  // The chunk ds64 has the size of the samples after its first eight bytes.
  new DataView(wide.buffer).setBigUint64(28, 0n, true);
  assert.equal((await heard(wide)).seconds, 0.5);
  const compressed = await fixture("mp3.wav");
  const data = new TextDecoder("latin1").decode(compressed).indexOf("data");
  new DataView(compressed.buffer).setUint32(data + 4, 0, true);
  assert.ok(Math.abs((await heard(compressed)).seconds - 0.5) < 0.06);
});

test("an empty data chunk stays empty where whole chunks follow, and a later chunk of samples counts", async () => {
  const none = wavFile(new Uint8Array(), { tag: 1, bits: 16 });
  assert.equal((await heard(none)).seconds, 0);
  const list = chunk("LIST", letters("INFOISFT\x05\0\0\0Lavf\0"));
  assert.equal((await heard(join(none, list))).seconds, 0);
  assert.equal((await heard(join(none, list, chunk("id3 ", id3(20))))).seconds, 0);
  assert.deepEqual(await heard(join(none, list, chunk("data", [...tone]))), {
    format: "WAV (16-bit PCM)",
    seconds: 0.5,
    loud: true,
  });
});

test("AIFF samples whose sizes were never written last until the end of the file", async () => {
  const big = new Uint8Array(tone.length);
  for (let i = 0; i < tone.length; i += 2) [big[i], big[i + 1]] = [tone[i + 1], tone[i]];
  // 16 kHz as an 80-bit float.
  const common = (frames: number) =>
    [0, 1, ...[24, 16, 8, 0].map((shift) => (frames >> shift) & 255), 0, 16].concat(
      [0x40, 0x0c, 0xfa, 0, 0, 0, 0, 0, 0, 0],
    );
  const file = (frames: number, size: number) =>
    join([...letters("FORM"), 0, 0, 0, 0, ...letters("AIFFCOMM"), 0, 0, 0, 18, ...common(frames), ...letters("SSND")], [
      ...[24, 16, 8, 0].map((shift) => (size >> shift) & 255),
      ...new Array(8).fill(0),
    ], big);
  for (const [frames, size] of [[8000, big.length + 8], [0, 0], [8000, 0], [0, big.length + 8]] as const) {
    assert.deepEqual(
      await heard(file(frames, size)),
      { format: "AIFF (16-bit)", seconds: 0.5, loud: true },
      `${frames} ${size}`,
    );
  }
  assert.equal((await heard(file(0, 8).subarray(0, 54))).seconds, 0);
});

const framed: readonly (readonly [string, string])[] = [
  ["id3.mp3", "MP3"],
  ["vbr.mp3", "MP3"],
  ["low_rate.mp3", "MP3"],
  ["layer2.mp2", "MP3"],
  ["aac.aac", "AAC (aac)"],
];

for (const [name, format] of framed) {
  test(`${name} is found by its frames: within a frame, after zeros, after bytes that are not frames`, async () => {
    const whole = await fixture(name);
    const bytes = name === "id3.mp3" ? whole.subarray(10 + (whole[8] << 7) + whole[9]) : whole;
    const noise = Array.from({ length: 3000 }, (_, i) => (i * i * 31 + 0x91) & 0xff);
    const starts: readonly (readonly [string, Uint8Array])[] = [
      ["whole", bytes],
      ["cut at 1", bytes.subarray(1)],
      ["cut at 137", bytes.subarray(137)],
      ["four spaces", join(letters("    "), bytes)],
      ["zeros", join(new Array(5000).fill(0), bytes)],
      ["noise", join(noise, bytes)],
      ["noise with false marks", join(noise.map((byte, i) => i % 50 === 0 ? 0xff : i % 50 === 1 ? 0xfb : byte), bytes)],
      ["headers of HTTP", join(letters("HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nX: \xe4\r\n\r\n"), bytes)],
      ["an end of another file and a tag", join(bytes.subarray(500, 900), id3(40), bytes)],
    ];
    for (const [where, file] of starts) {
      const sound = await heard(file);
      assert.equal(sound.format, format, where);
      assert.ok(sound.loud && Math.abs(sound.seconds - 0.5) < 0.16, `${where}: ${sound.seconds} s`);
    }
  });
}

test("frames of a free rate, too few frames and files of other kinds are not sound", async () => {
  const refused = (bytes: Uint8Array) =>
    assert.rejects(recogniseSound(audioBytes(bytes)), { code: "audio_unsupported" }, String(bytes.subarray(0, 16)));
  const frame = [0xff, 0xfb, 0x90, 0x00, ...new Array(413).fill(0x55)];
  const free = [0xff, 0xfb, 0x00, 0x00, ...new Array(413).fill(0x55)];
  const odd = [0x91, 0x92, 0x80];
  await refused(join(odd, free, free, free, free, free));
  await refused(join(odd, frame, odd, frame, odd, new Array(600).fill(0x91)));
  // A rate of its own in each frame is not a stream.
  await refused(join(odd, frame, [0xff, 0xfb, 0x94, 0x00, ...new Array(380).fill(0x55)], frame, frame));
  const mp3 = join(frame, frame, frame, frame, frame);
  await refused(join(letters("PK\x03\x04"), new Array(40).fill(1), mp3));
  await refused(join(letters("%PDF-1.7\n\xe2\xe3"), mp3));
  assert.deepEqual(await recogniseSound(audioBytes(join(odd, mp3))), { format: "mpeg", at: 3 });
  assert.deepEqual(await recogniseSound(audioBytes(join(odd, frame, frame, frame))), { format: "mpeg", at: 3 });
  assert.deepEqual(
    await recogniseSound(audioBytes(join(odd, frame, frame, frame, letters("TAG"), new Array(125).fill(0)))),
    {
      format: "mpeg",
      at: 3,
    },
  );
});

const tagged: readonly (readonly [string, string, number])[] = [
  ["id3.mp3", "MP3", 0.5],
  ["vbr.mp3", "MP3", 0.5],
  ["stereo.flac", "FLAC (flac)", 0.2],
  ["aac.aac", "AAC (aac)", 0.5],
  ["mono.opus", "Ogg (opus)", 0.5],
  ["vorbis.ogg", "Ogg (vorbis)", 0.5],
  ["flac.ogg", "Ogg (FLAC)", 0.5],
  ["aac.m4a", "MP4 (aac)", 0.5],
  ["opus.webm", "WebM or Matroska (opus)", 0.5],
  ["wav", "WAV (16-bit PCM)", 0.5],
];

for (const [name, format, seconds] of tagged) {
  test(`ID3v2 tags before ${name} are passed over`, async () => {
    const bytes = name === "wav" ? wavFile(tone, { tag: 1, bits: 16 }) : await fixture(name);
    const tags: readonly (readonly [string, readonly number[]])[] = [
      ["one", id3(63)],
      ["empty", id3(0)],
      ["large", id3(20_000)],
      ["with a footer", id3(63, 0x10)],
      ["two", [...id3(63), ...id3(200)]],
      ["with zeros after it", [...id3(63), ...new Array(500).fill(0)]],
      ["two with zeros between", [...id3(63), ...new Array(100).fill(0), ...id3(9, 0x10)]],
    ];
    for (const [which, tag] of tags) {
      const sound = await heard(join(tag, bytes));
      assert.equal(sound.format, format, which);
      assert.ok(sound.loud && Math.abs(sound.seconds - seconds) < 0.07, `${which}: ${sound.seconds} s`);
    }
    if (/MP4|Matroska/.test(format)) return;
    // The size says that the tag is longer than the file.
    const sound = await heard(join(id3(63, 0, 100_000_000), bytes));
    assert.ok(
      sound.format === format && Math.abs(sound.seconds - seconds) < 0.13,
      `${sound.format} ${sound.seconds} s`,
    );
  });
}
