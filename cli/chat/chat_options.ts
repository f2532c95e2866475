import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";

const COMMAND = "svc chat";

const FLAGS = {
  system: { kind: "string", value: "TEXT", help: "set the system prompt" },
  temperature: {
    kind: "number",
    value: "X",
    min: 0,
    max: 2,
    help: "sampling temperature; 0 always takes the likeliest token",
  },
  "max-tokens": {
    kind: "integer",
    value: "N",
    min: 1,
    max: 2 ** 31 - 1,
    help: "maximum number of tokens of an answer",
  },
  url: { kind: "string", value: "URL", help: "server to use (default: one on this machine, else run the model here)" },
  "api-key": { kind: "string", value: "KEY", help: "the server's key (default: SVC_API_KEY)" },
  json: { kind: "boolean", help: "print the answer and its statistics as JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** What `svc chat --help` prints. */
export const CHAT_HELP: string = `Chat with a model

Usage: ${COMMAND} MODEL [MESSAGE] [options]

With a MESSAGE or piped text, the model answers once. MODEL is an installed model (see svc model list) or
its alias, a folder, or a GGUF file. svc run is the same command.

Options:
${flagsHelp(FLAGS)}

Examples:
  ${COMMAND} qwen3-0.6b
  ${COMMAND} qwen3-0.6b "Why is the sky blue?"
  git diff | ${COMMAND} qwen3-0.6b --system "Review this change"`;

/** The parsed command line of `svc chat`. */
export interface ChatCommand {
  readonly model: string;
  /** The single message to answer; undefined for an interactive chat. */
  readonly message: string | undefined;
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly system: string | undefined;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  readonly json: boolean;
}

/**
 * Parses the arguments of `svc chat`; undefined when only the help is requested.
 *
 * @param environmentKey The key from the environment; `--api-key` wins over it.
 * @throws {UsageError} when they are invalid.
 */
export function readChatCommand(args: readonly string[], environmentKey?: string): ChatCommand | undefined {
  const { flags, words: [model, ...message] } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) return undefined;
  if (model === undefined) {
    throw new UsageError(`Cannot run ${COMMAND}: the model is missing, expected one that svc model list shows`);
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
