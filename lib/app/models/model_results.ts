/**
 * What local models return where a model server sends base64, text or URLs of files.
 *
 * @module
 */
import type { ModelApi } from "../../api/service/mod.ts";
import { outcomeFiles } from "../../api/service/vision/vision_answer.ts";
import type { KeptVision } from "../../api/service/vision/vision_service.ts";
import { notFound } from "../../errors/svc_error.ts";
import { show } from "../../errors/show.ts";
import { fromWire, type Wire } from "../../json/wire_form.ts";
import { readFile } from "../../platform/files/file_system.ts";
import { type Transcript, transcriptText } from "../../protocol/transcription/transcript.ts";

/** A spoken text. */
export interface Speech {
  /** The sound file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Such as `audio/wav`. */
  readonly mediaType: string;
  /** The voice that speaks. */
  readonly voice: string;
  /** Samples a second. */
  readonly sampleRate: number;
  /** Length of the sound. */
  readonly seconds: number;
  /** Phonemes that were spoken. */
  readonly phonemes: number;
}

/** A part of a spoken text. */
export interface SpeechChunk {
  /** The next bytes of the sound file; empty in the last chunk. */
  readonly bytes: Uint8Array;
  /** Of the text that is spoken by then, from 0 to 1. */
  readonly fraction: number;
  /** On the last chunk: what was spoken. */
  readonly speech?: Omit<Speech, "bytes">;
}

/** The text of a recording. Times are in seconds. */
export interface Transcription {
  /** The whole text. */
  readonly text: string;
  /** The text as the `response_format` of the request writes it: JSON, plain text or subtitles. */
  readonly formatted: string;
  /** Whether the words were put into English. */
  readonly task: "transcribe" | "translate";
  /** Code of the language that is spoken, such as `en`; undefined if the model does not report it. */
  readonly language: string | undefined;
  /** Length of the recording. */
  readonly duration: number;
  /** Parts of the text in the order of time; the numbers are those of OpenAI's `verbose_json`. */
  readonly segments: readonly {
    readonly start: number;
    readonly end: number;
    readonly text: string;
    readonly tokens: readonly number[];
    readonly seek: number;
    readonly temperature: number;
    readonly avgLogprob: number;
    readonly compressionRatio: number;
    readonly noSpeechProb: number;
  }[];
  /** Words with their times, where `timestamp_granularities` has `word`. */
  readonly words?: readonly { readonly word: string; readonly start: number; readonly end: number }[];
}

/** A part of a transcription. */
export interface TranscriptionChunk {
  /** Text that follows; empty in the last chunk. */
  readonly delta: string;
  /** On the last chunk: the whole. */
  readonly transcription?: Transcription;
}

/** What a vision model found. */
export interface VisionResult {
  /** What the route's answer says besides files and times, such as `width`, `cameras` or `triangleCount`. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Seconds of the phases. */
  readonly timing: Readonly<Record<string, number>>;
  /** Meshes, point clouds, depth maps, previews and the manifest of all of them. */
  readonly files: readonly VisionFile[];
}

/** A file of a result. */
export interface VisionFile {
  /** What it is, such as `glb`, `depth-exr` or `point-cloud`. */
  readonly kind: string;
  /** Its path below the result, as the manifest names it. */
  readonly path: string;
  /** Such as `model/gltf-binary`. */
  readonly mediaType: string;
  /** Length of the file. */
  readonly byteCount: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  /** Index of the view that it belongs to. */
  readonly viewIndex?: number;
  /** Index of the frame that it belongs to. */
  readonly frameIndex?: number;
  /**
   * Reads the file, which is on the disk until the models are closed, for one hour at most.
   *
   * @throws {SvcError} `artifact_not_found` afterwards.
   */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

/** A transcript as a result; `formatted` is what the format of the request makes of it. */
export function transcriptionOf(transcript: Transcript, formatted: string): Transcription {
  return { text: transcriptText(transcript.segments), formatted, ...transcript };
}

/** A kept result of a vision route. */
export function visionResult({ id, outcome }: KeptVision, api: Pick<ModelApi, "visionFile">): VisionResult {
  const files = outcomeFiles(outcome).map((entry): VisionFile => ({
    ...entry,
    bytes: async () => {
      const kept = api.visionFile(id, entry.path);
      if (kept) return new Uint8Array(await readFile(kept.path));
      const message =
        `Cannot read the file ${show(entry.path)}: results are kept for one hour while their models are open, ` +
        "make the request again";
      throw notFound("artifact_not_found", message);
    },
  }));
  return {
    facts: fromWire(outcome.facts as Wire<VisionResult["facts"]>),
    timing: fromWire(outcome.timing as Wire<VisionResult["timing"]>),
    files,
  };
}
