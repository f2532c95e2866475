import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { CHAT_HELP, type ChatCommand, readChatCommand } from "./chat_options.ts";
import { findChatServer, type FindChatServerOptions } from "./chat_server.ts";
import { type ChatTerminal, interruptible, TerminalChat } from "./terminal_chat.ts";

/** What surrounds the command; all of it can be replaced by a test. */
export interface ChatHost extends ChatTerminal, Pick<FindChatServerOptions, "fetch" | "start"> {
  /** All that is piped in. */
  readonly readInput: () => Promise<string>;
}

/** Runs `svc chat` and returns its exit status: 0 done, 1 failed or stopped, 2 wrong usage. */
export async function runChatCommand(args: readonly string[], host: ChatHost): Promise<number> {
  const command = readChatCommand(args, host.environment("SVC_API_KEY"));
  if (!command) {
    host.write(`${CHAT_HELP}\n`);
    return 0;
  }
  const once = command.message !== undefined || !host.interactive;
  if (command.json && !once) {
    throw new UsageError("Cannot run svc chat: --json needs one message, give it behind the model or through a pipe");
  }
  const message = once ? await readMessage(command, host) : undefined;
  const { model, url, apiKey } = command;
  const find = { model, url, apiKey, fetch: host.fetch, start: host.start };
  const server = await interruptible(host, (signal) => findChatServer(find, signal));
  try {
    const chat = new TerminalChat(command, server, host);
    if (message === undefined) return await chat.talk();
    return await interruptible(host, (signal) => chat.answerOnce(message, signal));
  } finally {
    await server.close();
  }
}

/** What is piped in is read only when the command line has no message: nobody may ever end a pipe. */
async function readMessage({ message }: ChatCommand, host: ChatHost): Promise<string> {
  const text = message ?? await host.readInput();
  if (text.trim() !== "") return text;
  throw new UsageError("Cannot run svc chat: there is no message, give one behind the model or through a pipe");
}
