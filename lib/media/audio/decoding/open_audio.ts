/**
 * Opens sound files of any format.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import type { AudioSource, OpenedAudio } from "../audio_source.ts";
import { letters } from "./chunked_file.ts";
import { openWithFfmpeg } from "./ffmpeg_sound.ts";
import { openAiff } from "./open_aiff.ts";
import { containerDuration, openContainer } from "./open_container.ts";
import { openMpeg, openOggFlac } from "./open_frames.ts";
import { openWav } from "./open_wav.ts";
import {
  describeFile,
  type ForeignSound,
  foreignSound,
  id3Size,
  SOUND_HEAD,
  type SoundFormat,
  soundFormat,
  soundNames,
} from "./sound_format.ts";

/**
 * Opens a sound file, recognised by content: WAV, AIFF, MP3, AAC, FLAC, Ogg (Opus, Vorbis, FLAC), MP4 and MOV, WebM and
 * Matroska, MPEG-TS; with an ffmpeg on PATH also others, such as WMA and AMR. AAC needs the package
 * `@napi-rs/webcodecs` or ffmpeg.
 *
 * @throws {SvcError} if it is not sound, damaged, or needs a decoder that is not installed; `code` says which.
 */
export async function openAudio(source: AudioSource): Promise<OpenedAudio> {
  const { format, foreign, head } = await recogniseSound(source);
  if (format !== undefined) return await openFormat(source, format, head);
  return await openWithFfmpeg(source, foreign.demuxer, foreign.name);
}

/** What a sound file is by its first bytes, which follow. */
type RecognisedSound =
  | { readonly format: SoundFormat; readonly foreign?: undefined; readonly head: Uint8Array }
  | { readonly format?: undefined; readonly foreign: ForeignSound; readonly head: Uint8Array };

/**
 * Looks at the first bytes of a file, which is quick.
 *
 * @throws {SvcError} `audio_unsupported` if it is not sound.
 */
export async function recogniseSound(source: AudioSource): Promise<RecognisedSound> {
  const head = await source.read(0, SOUND_HEAD);
  const tag = id3Size(head);
  const start = tag === 0 ? head : await source.read(tag, SOUND_HEAD);
  const format = soundFormat(start) ?? (tag > 0 ? "mpeg" : undefined);
  if (format !== undefined) return { format, head: start };
  const foreign = foreignSound(head);
  if (foreign !== undefined) return { foreign, head };
  throw new SvcError(
    "audio_unsupported",
    `Cannot read the sound: the file is ${describeFile(head)}, expected WAV, MP3, M4A, AAC, FLAC, Ogg, WebM or AIFF`,
    { param: "file" },
  );
}

async function openFormat(source: AudioSource, format: SoundFormat, head: Uint8Array): Promise<OpenedAudio> {
  const name = soundNames[format];
  const withFfmpeg = () => openWithFfmpeg(source, demuxers[format], name);
  switch (format) {
    case "wav":
      return await openWav(source) ?? await withFfmpeg();
    case "aiff":
      return await openAiff(source) ?? await withFfmpeg();
    case "mpeg":
      return openMpeg(source, name, await containerDuration(source));
    case "ogg":
      // The demuxer knows neither.
      if (letters(head.subarray(28, 33)) === "\x7fFLAC") return openOggFlac(source);
      if (letters(head.subarray(28, 33)) === "Speex") return await openWithFfmpeg(source, "ogg", "Ogg (Speex)");
  }
  return await openContainer(source, name) ?? await withFfmpeg();
}

/** Names of ffmpeg for the formats. */
const demuxers: Readonly<Record<SoundFormat, string>> = {
  wav: "wav",
  aiff: "aiff",
  mpeg: "mp3",
  flac: "flac",
  ogg: "ogg",
  mp4: "mov",
  matroska: "matroska",
  adts: "aac",
  "mpeg-ts": "mpegts",
};
