import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";

const COMMAND = "svc image";

const FLAGS = {
  output: { kind: "string", value: "FILE.png", short: "o", help: "path of the image", default: "image.png" },
  edit: { kind: "string", value: "FILE", help: "image to edit according to PROMPT" },
  strength: { kind: "number", value: "X", min: 0, max: 1, help: "with --edit: how much of the image may change" },
  size: { kind: "string", value: "WxH", help: "multiples of 16 (default: 1024x1024)" },
  seed: { kind: "string", value: "N", help: "the same seed gives the same image (default: a new one)" },
  steps: { kind: "integer", value: "N", min: 1, max: 100, help: "denoising steps (default: the model's)" },
  guidance: { kind: "number", value: "X", min: 0, max: 100, help: "weight of the prompt (default: the model's)" },
  negative: { kind: "string", value: "TEXT", help: "what the image should not show, for models that support it" },
  preview: { kind: "boolean", help: "write a preview after each step" },
  model: { kind: "string", value: "ID", short: "m", help: "image model (default: the best installed one)" },
  url: { kind: "string", value: "URL", help: "server to use (default: one on this machine, else run the model here)" },
  "api-key": { kind: "string", value: "KEY", help: "the server's key (default: SVC_API_KEY)" },
  force: { kind: "boolean", help: "replace the file if it exists" },
  json: { kind: "boolean", help: "print the result as JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** What `svc image --help` prints. */
export const IMAGE_HELP: string = `Make or edit an image

Usage: ${COMMAND} PROMPT [options]

Without an installed model, the embedded one draws corridors: walls and doors in colours, bright or dark.

Options:
${flagsHelp(FLAGS)}

Examples:
  ${COMMAND} "a blue corridor with red doors and warm lamps, dark" -o blue.png --size 768x512
  ${COMMAND} "a yellow corridor with purple doors, bright" --edit blue.png -o yellow.png`;

/** The parsed command line of `svc image`. */
export interface ImageCommand {
  readonly output: string;
  /** The picture to edit. */
  readonly edit: string | undefined;
  /** The fields of the request besides pictures. */
  readonly fields: Readonly<Record<string, string | number>>;
  readonly preview: boolean;
  readonly model: string | undefined;
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly force: boolean;
  readonly json: boolean;
}

/**
 * Parses the arguments of `svc image`; undefined when only the help is requested.
 *
 * @param environmentKey The key from the environment; `--api-key` wins over it.
 * @throws {UsageError} when they are invalid.
 */
export function readImageCommand(args: readonly string[], environmentKey?: string): ImageCommand | undefined {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) return undefined;
  const { output, edit, strength, url, seed } = flags;
  const prompt = words.join(" ");
  if (prompt.trim() === "") throw new UsageError(`Cannot run ${COMMAND}: no prompt given, pass it in quotes`);
  const wrong = (flag: string, value: string, expected: string): UsageError =>
    new UsageError(`Cannot run ${COMMAND}: --${flag} is ${JSON.stringify(value)}, expected ${expected}`);
  if (url !== undefined && !/^https?:\/\//.test(url)) {
    throw wrong("url", url, "an address such as http://127.0.0.1:8080");
  }
  if (!/.\.png$/i.test(output)) throw wrong("output", output, "a file name that ends in .png");
  if (seed !== undefined && !(/^\d{1,20}$/.test(seed) && BigInt(seed) < 1n << 64n)) {
    throw wrong("seed", seed, "a whole number from 0 to 2^64-1");
  }
  if (strength !== undefined && edit === undefined) {
    throw new UsageError(`Cannot run ${COMMAND}: --strength needs a picture, name one with --edit`);
  }
  const fields = {
    prompt,
    size: flags.size,
    seed,
    steps: flags.steps,
    guidance_scale: flags.guidance,
    negative_prompt: flags.negative,
    strength,
  };
  return {
    output,
    edit,
    fields: Object.fromEntries(
      Object.entries(fields).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
    ),
    preview: flags.preview,
    model: flags.model,
    url,
    apiKey: flags["api-key"]?.trim() || environmentKey,
    force: flags.force,
    json: flags.json,
  };
}
