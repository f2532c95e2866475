import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";

const COMMAND = "svc speak";

/** Formats by the endings of files. */
export const SPEAK_FORMATS = ["wav", "mp3", "opus", "aac", "flac", "pcm"] as const;

/** A format of a file. */
export type SpeakFormat = typeof SPEAK_FORMATS[number];

const endings: Readonly<Record<string, SpeakFormat>> = { ogg: "opus", raw: "pcm" };

const FLAGS = {
  output: {
    kind: "string",
    value: "FILE",
    short: "o",
    help: "write a file (.wav .mp3 .opus .aac .flac) instead of playing",
  },
  voice: { kind: "string", value: "NAME|WORDS", help: 'a voice by name or description: "a calm British man"' },
  instructions: { kind: "string", value: "TEXT", help: "how to speak; gender, accent and pace are honoured" },
  speed: { kind: "number", value: "X", min: 0.25, max: 4, help: "0.25 to 4 (default: 1)" },
  model: { kind: "string", value: "ID", short: "m", help: "speech model (default: the best one that is installed)" },
  url: { kind: "string", value: "URL", help: "server to use (default: one on this machine, else run the model here)" },
  "api-key": { kind: "string", value: "KEY", help: "the server's key (default: SVC_API_KEY)" },
  force: { kind: "boolean", help: "replace the file if it exists" },
  json: { kind: "boolean", help: "print the result as JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** What `svc speak --help` prints. */
export const SPEAK_HELP: string = `Speak a text

Usage: ${COMMAND} [TEXT] [options]

Without TEXT, the text is read from a pipe. The speech is played by the system's player or written to a file.

Options:
${flagsHelp(FLAGS)}

Examples:
  ${COMMAND} "The corridor is empty."
  ${COMMAND} "It costs $9.99." --voice "a British woman" -o price.mp3
  ${COMMAND} -o chapter.wav < chapter.txt`;

/** The parsed command line of `svc speak`. */
export interface SpeakCommand {
  /** Undefined for text from a pipe. */
  readonly text: string | undefined;
  /** Undefined to play it. */
  readonly output: string | undefined;
  readonly format: SpeakFormat;
  readonly voice: string | undefined;
  readonly instructions: string | undefined;
  readonly speed: number | undefined;
  readonly model: string | undefined;
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly force: boolean;
  readonly json: boolean;
}

/**
 * Parses the arguments of `svc speak`; undefined when only the help is requested.
 *
 * @param environmentKey The key from the environment; `--api-key` wins over it.
 * @throws {UsageError} when they are invalid.
 */
export function readSpeakCommand(args: readonly string[], environmentKey?: string): SpeakCommand | undefined {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) return undefined;
  const { output, voice, instructions, speed, model, url, force, json } = flags;
  if (url !== undefined && !/^https?:\/\//.test(url)) {
    throw new UsageError(
      `Cannot run ${COMMAND}: --url is ${JSON.stringify(url)}, expected an address such as http://127.0.0.1:8080`,
    );
  }
  const text = words.length === 0 ? undefined : words.join(" ");
  const apiKey = flags["api-key"]?.trim() || environmentKey;
  return { text, output, format: formatOf(output), voice, instructions, speed, model, url, apiKey, force, json };
}

function formatOf(output: string | undefined): SpeakFormat {
  if (output === undefined) return "wav";
  const ending = /\.(\w+)$/.exec(output)?.[1].toLowerCase() ?? "";
  const format = SPEAK_FORMATS.find((one) => one === ending) ??
    (Object.hasOwn(endings, ending) ? endings[ending] : undefined);
  if (format !== undefined) return format;
  throw new UsageError(
    `Cannot run ${COMMAND}: --output is ${JSON.stringify(output)}, expected a name that ends in ` +
      SPEAK_FORMATS.map((one) => `.${one}`).join(", "),
  );
}
