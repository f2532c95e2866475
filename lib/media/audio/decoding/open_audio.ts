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
import { findFrames, framesAtStart } from "./frame_search.ts";
import { openMpeg, openOggFlac } from "./open_frames.ts";
import { openWav } from "./open_wav.ts";
import {
  describeFile,
  findSignature,
  type ForeignSound,
  foreignSound,
  ID3_HEADER,
  id3Size,
  SOUND_HEAD,
  type SoundFormat,
  soundFormat,
  soundNames,
  UNKNOWN_FILE,
} from "./sound_format.ts";

/**
 * Opens a sound file, recognised by content: WAV, AIFF, MP3, AAC, FLAC, Ogg (Opus, Vorbis, FLAC), MP4 and MOV, WebM and
 * Matroska, MPEG-TS; with an ffmpeg on PATH also others, such as WMA and AMR. AAC needs the package
 * `@napi-rs/webcodecs` or ffmpeg. ID3v2 tags before any of them are passed over, and MP3 and AAC may begin within a frame.
 *
 * @throws {SvcError} if it is not sound, damaged, or needs a decoder that is not installed; `code` says which.
 */
export async function openAudio(source: AudioSource): Promise<OpenedAudio> {
  const { format, foreign, at } = await recogniseSound(source);
  const sound = behind(source, at);
  if (format === undefined) return await openWithFfmpeg(sound, foreign.demuxer, foreign.name);
  return await openFormat(sound, format, await sound.read(0, SOUND_HEAD));
}

/** What a sound file is by its first bytes, and how many of them come before the sound. */
type RecognisedSound =
  & { readonly at: number }
  & (
    | { readonly format: SoundFormat; readonly foreign?: undefined }
    | { readonly format?: undefined; readonly foreign: ForeignSound }
  );

/**
 * Looks at the first bytes of a file, which is quick.
 *
 * @throws {SvcError} `audio_unsupported` if it is not sound.
 */
export async function recogniseSound(source: AudioSource): Promise<RecognisedSound> {
  const { at, lost } = await behindTags(source);
  const head = await source.read(at, SOUND_HEAD);
  const format = soundFormat(head);
  if (format !== undefined) return { format, at };
  const started = framesAtStart(head);
  if (started !== undefined) return { format: started.format, at: at + started.at };
  const foreign = foreignSound(head);
  if (foreign !== undefined) return { foreign, at };
  const unknown = at > 0 || describeFile(head) === UNKNOWN_FILE;
  const frames = unknown ? findFrames(head, at + head.length >= source.size) : undefined;
  if (frames !== undefined) return { format: frames.format, at: at + frames.at };
  const signed = lost ? findSignature(head) : undefined;
  if (signed !== undefined) return { format: signed.format, at: at + signed.at };
  // Tags precede MP3 as a rule, and its decoder looks for frames in all of the file.
  if (at > 0) return { format: "mpeg", at: lost ? 0 : at };
  throw new SvcError(
    "audio_unsupported",
    `Cannot read the sound: the file is ${describeFile(head)}, expected WAV, MP3, M4A, AAC, FLAC, Ogg, WebM or AIFF`,
    { param: "file" },
  );
}

/** More tags than any file has. */
const MAX_TAGS = 16;

/** Where the ID3v2 tags at the start of a file end; `lost` when one says that it is longer than the file. */
async function behindTags(source: AudioSource): Promise<{ readonly at: number; readonly lost: boolean }> {
  let at = 0;
  for (let count = 0; count < MAX_TAGS; count++) {
    const head = await source.read(at, SOUND_HEAD);
    if (soundFormat(head) !== undefined) return { at, lost: false };
    // Some writers put zeros after a tag that are not counted in its size.
    const zeros = at === 0 ? 0 : Math.max(head.findIndex((byte) => byte !== 0), 0);
    const size = id3Size(head.subarray(zeros));
    if (size === 0) {
      // MP4 itself begins with zeros: those of its first size.
      const own = [1, 2, 3].find((count) => count <= zeros && soundFormat(head.subarray(zeros - count)) === "mp4") ?? 0;
      return { at: at + zeros - own, lost: false };
    }
    if (at + zeros + size >= source.size) return { at: at + zeros + ID3_HEADER, lost: true };
    at += zeros + size;
  }
  return { at, lost: false };
}

/** A file without the bytes before its sound. */
function behind(source: AudioSource, from: number): AudioSource {
  if (from === 0) return source;
  return { size: Math.max(source.size - from, 0), read: (offset, length) => source.read(from + offset, length) };
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
      // The demuxer supports neither.
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
