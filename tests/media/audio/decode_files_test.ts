import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { mock, test } from "node:test";
import { fileURLToPath } from "node:url";
import { audioBytes } from "../../../lib/media/audio/audio_source.ts";
import { decodeAudio } from "../../../lib/media/audio/decode_audio.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { openFileReader } from "../../../lib/platform/files/read_part.ts";

const folder = new URL("../../fixtures/sounds/", import.meta.url);

async function readSound(name: string): Promise<{ format: string; samples: Float32Array }> {
  const source = audioBytes(new Uint8Array(await readFile(new URL(name, folder))));
  const { format, samples } = await decodeAudio(source, { sampleRate: 16_000 });
  const all: number[] = [];
  for await (const part of samples) all.push(...part);
  return { format, samples: Float32Array.from(all) };
}

/** How much of a tone there is, as its amplitude (Goertzel's sum). */
function amplitude(samples: Float32Array, hz: number): number {
  let [re, im] = [0, 0];
  for (const [i, value] of samples.entries()) {
    re += value * Math.cos(2 * Math.PI * hz * i / 16_000);
    im += value * Math.sin(2 * Math.PI * hz * i / 16_000);
  }
  return 2 * Math.hypot(re, im) / samples.length;
}

/** File, format, seconds, how much longer it may be because its container does not say, amplitude. */
const files: readonly (readonly [string, string, number, number, number])[] = [
  ["aac.m4a", "MP4 (aac)", 0.5, 0, 0.37],
  ["aac.aac", "AAC (aac)", 0.5, 0.06, 0.41],
  ["aac.m2ts", "MPEG-TS (aac)", 0.5, 0.04, 0.41],
  ["fragmented.m4a", "MP4 (aac)", 0.5, 0.03, 0.41],
  ["flac.mka", "WebM or Matroska (flac)", 0.5, 0, 0.4],
  ["flac.ogg", "Ogg (FLAC)", 0.5, 0, 0.4],
  ["stereo.flac", "FLAC (flac)", 0.2, 0, 0.37],
  ["wide.flac", "FLAC (flac)", 0.1, 0, 0.4],
  ["seven.flac", "FLAC (flac)", 0.2, 0, 0.349],
  ["id3.mp3", "MP3", 0.5, 0, 0.39],
  ["vbr.mp3", "MP3", 0.5, 0, 0.355],
  ["low_rate.mp3", "MP3", 0.5, 0, 0.385],
  ["layer2.mp2", "MP3", 0.5, 0.03, 0.4],
  ["mp3.m4a", "MP4 (mp3)", 0.5, 0, 0.385],
  ["mp3.wav", "WAV (MP3)", 0.5, 0.05, 0.385],
  ["mono.opus", "Ogg (opus)", 0.5, 0, 0.4],
  ["surround.opus", "Ogg (opus)", 0.5, 0, 0.35],
  ["opus.webm", "WebM or Matroska (opus)", 0.5, 0.02, 0.4],
  ["opus.m4a", "MP4 (opus)", 0.5, 0, 0.4],
  ["vorbis.ogg", "Ogg (vorbis)", 0.5, 0, 0.37],
  ["vorbis.webm", "WebM or Matroska (vorbis)", 1, 0.01, 0.37],
  ["pcm.mov", "MP4 (pcm-s16)", 0.2, 0, 0.4],
];

for (const [name, format, seconds, slack, expected] of files) {
  test(`${name} is decoded to its two tones`, async () => {
    const sound = await readSound(name);
    assert.equal(sound.format, format);
    const length = sound.samples.length / 16_000;
    assert.ok(length >= seconds - 0.0006 && length <= seconds + slack + 0.0006, `lasts ${length} s`);
    // Parts in the midst of both halves, wherever the sound begins.
    for (const [from, hz] of [[0.15, 440], [0.65, 1000]] as const) {
      const part = sound.samples.subarray(from * seconds * 16_000, (from + 0.2) * seconds * 16_000);
      const whole = Math.floor(part.length / 400) * 400;
      const found = amplitude(part.subarray(0, whole || part.length), hz);
      assert.ok(Math.abs(found - expected) < 0.06, `${hz} Hz has the amplitude ${found}`);
    }
  });
}

test("a file on disk is read like bytes in memory", async () => {
  const file = await openFileReader(fileURLToPath(new URL("id3.mp3", folder)));
  try {
    const { samples } = await decodeAudio(file, { sampleRate: 16_000 });
    let count = 0;
    for await (const part of samples) count += part.length;
    assert.equal(count, 8000);
  } finally {
    await file.close();
  }
});

for (const name of ["alac.m4a", "adpcm.wav", "wma.wma"]) {
  test(`${name} needs ffmpeg, which the error says if it is missing`, async () => {
    const decoded = await readSound(name).catch((error) => error);
    if (decoded instanceof Error) {
      assert.ok(decoded instanceof SvcError, String(decoded));
      assert.equal(decoded.code, "audio_decoder_missing");
      assert.match(decoded.message, /^Cannot decode the sound, (MP4|WAV|WMA): no decoder .* install ffmpeg/);
    } else assert.ok(decoded.samples.length > 500);
  });
}

test("a video without sound is refused as such", async () => {
  await assert.rejects(readSound("silent_video.mp4"), {
    code: "audio_unsupported",
    message: "Cannot read the sound: the file is a video without sound (MP4), expected a track of sound",
  });
});

test("every file may end anywhere, or have wrong bytes: then it is decoded in part, or refused as damaged", async () => {
  // The decoders say there what each damaged packet lacks.
  const { mock: silenced } = mock.method(console, "error", () => {});
  let state = 1;
  const random = (below: number) => (state = (state * 16_807) % 2_147_483_647) % below;
  for (const [name] of files) {
    const whole = new Uint8Array(await readFile(new URL(name, folder)));
    for (let round = 0; round < 4; round++) {
      const bytes = round % 2 ? whole.slice(0, random(whole.length)) : whole.slice();
      if (round % 2 === 0) { for (let i = 0; i < 20; i++) bytes[random(bytes.length)] = random(256); }
      try {
        const { samples } = await decodeAudio(audioBytes(bytes), { sampleRate: 16_000, maxSeconds: 600 });
        for await (const part of samples) assert.ok(part.every(Number.isFinite));
      } catch (error) {
        assert.ok(error instanceof SvcError, `${name}: ${error}`);
      }
    }
  }
  silenced.restore();
});
