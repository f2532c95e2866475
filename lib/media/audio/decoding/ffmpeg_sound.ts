/**
 * Decoding by an installed ffmpeg.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import { writeParts } from "../../../platform/files/atomic_write.ts";
import { makeTemporaryDirectory } from "../../../platform/files/work_folder.ts";
import { streamProcess } from "../../../platform/processes/run_process.ts";
import type { AudioBlock, AudioSource, OpenedAudio } from "../audio_source.ts";
import { pcmLayout, readPcm } from "./open_pcm.ts";

/** What ffmpeg decodes to. */
const RATE = 48_000;

/** Bytes that are read at once from a source other than a file. */
const PART = 1024 * 1024;

/**
 * Opens a sound file with `ffmpeg` (on PATH).
 *
 * @param demuxer Its name of the format: files that it would take for a playlist must not lead it elsewhere.
 * @param format What the file is, for people.
 * @throws {SvcError} `audio_decoder_missing` when there is no ffmpeg.
 */
export async function openWithFfmpeg(source: AudioSource, demuxer: string, format: string): Promise<OpenedAudio> {
  await checkFfmpeg(format);
  return {
    format,
    duration: undefined,
    blocks: () => decode(source, demuxer, format),
  };
}

async function checkFfmpeg(format: string): Promise<void> {
  try {
    const { stdout, ended } = await streamProcess("ffmpeg", ["-version"]);
    for await (const _ of stdout);
    await ended;
  } catch (cause) {
    throw new SvcError(
      "audio_decoder_missing",
      `Cannot decode the sound, ${format}: no decoder for it is installed here, install ffmpeg` +
        (/aac|MP4|MPEG-TS|Matroska/.test(format) ? " or the package @napi-rs/webcodecs" : ""),
      { cause },
    );
  }
}

async function* decode(source: AudioSource, demuxer: string, format: string): AsyncGenerator<AudioBlock> {
  const folder = source.path === undefined ? await makeTemporaryDirectory() : undefined;
  try {
    const path = source.path ?? `${folder?.path}/sound`;
    if (folder !== undefined) await writeParts(path, parts(source));
    yield* run(path, demuxer, format);
  } finally {
    await folder?.remove();
  }
}

async function* run(path: string, demuxer: string, format: string): AsyncGenerator<AudioBlock> {
  const layout = pcmLayout("f32", true, 1);
  const { stdout, ended } = await streamProcess("ffmpeg", [
    ...["-v", "error", "-nostdin", "-protocol_whitelist", "file", "-f", demuxer, "-i", `file:${path}`],
    ...["-map", "0:a:0", "-vn", "-sn", "-dn", "-ac", "1", "-ar", `${RATE}`, "-f", "f32le", "pipe:1"],
  ]);
  let rest: Uint8Array = new Uint8Array();
  let decoded = 0;
  for await (const part of stdout) {
    const bytes = new Uint8Array(rest.length + part.length);
    bytes.set(rest);
    bytes.set(part, rest.length);
    const whole = bytes.length - bytes.length % layout.frameBytes;
    rest = bytes.subarray(whole);
    if (whole > 0) yield { sampleRate: RATE, channels: readPcm(bytes.subarray(0, whole), layout) };
    decoded += whole;
  }
  const { code, stderr } = await ended;
  // A damaged end does not invalidate the sound before it.
  if (code === 0 || decoded > 0) return;
  const reason = stderr.replaceAll(path, "the file").trim().split("\n").at(-1);
  throw new SvcError("audio_damaged", `Cannot decode the sound, ${format}: ${reason}, expected a whole file`);
}

async function* parts(source: AudioSource): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < source.size; at += PART) yield await source.read(at, PART);
}
