import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";

const COMMAND = "svc chat";

const FLAGS = {
  system: { kind: "string", value: "TEXT", help: "what the model is told before anything else" },
  temperature: { kind: "number", value: "X", min: 0, max: 2, help: "0 always takes the likeliest token" },
  "max-tokens": { kind: "integer", value: "N", min: 1, max: 2 ** 31 - 1, help: "length of an answer, at most" },
  url: { kind: "string", value: "URL", help: "server to use; otherwise one on this machine, or the model is run here" },
  "api-key": { kind: "string", value: "KEY", help: "the server's key (default: SVC_API_KEY)" },
  json: { kind: "boolean", help: "print the one answer with its counts as JSON" },
  help: { kind: "boolean", help: "show this" },
} as const satisfies FlagTable;

/** What `svc chat --help` prints. */
export const CHAT_HELP: string = `Talk with a model

Usage: ${COMMAND} MODEL [MESSAGE] [options]

With a MESSAGE, or with text from a pipe, the model answers once. MODEL is an installed model (see svc model list) or
its alias, a folder, or a GGUF file.

Options:
${flagsHelp(FLAGS)}

Examples:
  ${COMMAND} qwen3-0.6b
  ${COMMAND} qwen3-0.6b "Why is the sky blue?"
  git diff | ${COMMAND} qwen3-0.6b --system "Review this change"`;

/** The command line of `svc chat`, understood. */
export interface ChatCommand {
  readonly model: string;
  /** What to answer, once; undefined to ask for messages. */
  readonly message: string | undefined;
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly system: string | undefined;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  readonly json: boolean;
}

/**
 * Reads the arguments of `svc chat`; undefined when only help is wanted.
 *
 * @param environmentKey The key that the environment gives; `--api-key` wins over it.
 * @throws {UsageError} when they cannot be understood.
 */
export function readChatCommand(args: readonly string[], environmentKey?: string): ChatCommand | undefined {
  const { flags, words: [model, ...message] } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) return undefined;
  if (model === undefined) {
    throw new UsageError(`Cannot run ${COMMAND}: it names no model, expected one that svc model list shows`);
  }
  const { url, system, temperature, "max-tokens": maxTokens, json } = flags;
  if (url !== undefined && !/^https?:\/\//.test(url)) {
    throw new UsageError(
      `Cannot run ${COMMAND}: --url is ${JSON.stringify(url)}, expected an address such as http://127.0.0.1:8080`,
    );
  }
  return {
    model,
    message: message.length === 0 ? undefined : message.join(" "),
    url,
    apiKey: flags["api-key"]?.trim() || environmentKey,
    system,
    temperature,
    maxTokens,
    json,
  };
}
