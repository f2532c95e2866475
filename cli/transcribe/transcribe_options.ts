import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import {
  TRANSCRIPTION_FORMATS,
  type TranscriptionFormat,
} from "../../lib/protocol/transcription/transcription_format.ts";

const COMMAND = "svc transcribe";

/** Formats by the endings of files. */
const endings: Readonly<Record<string, TranscriptionFormat>> = {
  txt: "text",
  json: "verbose_json",
  srt: "srt",
  vtt: "vtt",
};

const FLAGS = {
  format: {
    kind: "choice",
    choices: TRANSCRIPTION_FORMATS,
    help: "output format (default: by the extension of -o, else text)",
  },
  output: {
    kind: "string",
    value: "FILE",
    short: "o",
    help: "write to a file (.txt .json .srt .vtt) instead of printing",
  },
  language: { kind: "string", value: "CODE|NAME", help: "spoken language (default: detected by the model)" },
  translate: { kind: "boolean", help: "translate into English, if the model can" },
  words: { kind: "boolean", help: "with verbose_json: include word timestamps" },
  prompt: { kind: "string", value: "TEXT", help: "names and style, for models that support prompts" },
  model: { kind: "string", value: "ID", short: "m", help: "transcription model (default: the best installed one)" },
  url: { kind: "string", value: "URL", help: "server to use (default: one on this machine, else run the model here)" },
  "api-key": { kind: "string", value: "KEY", help: "the server's key (default: SVC_API_KEY)" },
  force: { kind: "boolean", help: "replace the file if it exists" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** What `svc transcribe --help` prints. */
export const TRANSCRIBE_HELP: string = `Transcribe a recording

Usage: ${COMMAND} FILE [options]

FILE is an audio file of at most 100 MiB: WAV, MP3, M4A, FLAC, Ogg, WebM and others.

Options:
${flagsHelp(FLAGS)}

Examples:
  ${COMMAND} talk.mp3
  ${COMMAND} interview.m4a -o interview.srt
  ${COMMAND} vortrag.wav --language German --translate`;

/** The parsed command line of `svc transcribe`. */
export interface TranscribeCommand {
  readonly file: string;
  readonly format: TranscriptionFormat;
  /** Undefined to print it. */
  readonly output: string | undefined;
  readonly language: string | undefined;
  readonly translate: boolean;
  readonly words: boolean;
  readonly prompt: string | undefined;
  readonly model: string | undefined;
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly force: boolean;
}

/**
 * Parses the arguments of `svc transcribe`; undefined when only the help is requested.
 *
 * @param environmentKey The key from the environment; `--api-key` wins over it.
 * @throws {UsageError} when they are invalid.
 */
export function readTranscribeCommand(
  args: readonly string[],
  environmentKey?: string,
): TranscribeCommand | undefined {
  const { flags, words: [file, ...more] } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) return undefined;
  const { "api-key": key, help: _, output, url, ...rest } = flags;
  if (file === undefined || more.length > 0) {
    throw new UsageError(`Cannot run ${COMMAND}: expected one sound file, such as ${COMMAND} talk.mp3`);
  }
  if (url !== undefined && !/^https?:\/\//.test(url)) {
    throw new UsageError(
      `Cannot run ${COMMAND}: --url is ${JSON.stringify(url)}, expected an address such as http://127.0.0.1:8080`,
    );
  }
  const ending = /\.(\w+)$/.exec(output ?? "")?.[1].toLowerCase() ?? "";
  const format = flags.format ?? (Object.hasOwn(endings, ending) ? endings[ending] : "text");
  if (rest.words && format !== "verbose_json") {
    throw new UsageError(`Cannot run ${COMMAND}: --words goes with --format verbose_json, not with ${format}`);
  }
  return { ...rest, file, output, url, format, apiKey: key?.trim() || environmentKey };
}
