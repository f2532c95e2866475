import { onInterrupt } from "../../lib/platform/processes/shutdown.ts";
import { terminalLines } from "../../lib/platform/terminal/line_reader.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { isConversation, readStandardInput, thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { findChatServer, type FindChatServerOptions, ownApiServer } from "../model_api/chat_server.ts";
import { runningApiServers } from "../model_api/find_api_server.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { CHAT_HELP, type ChatCommand, readChatCommand } from "./chat_options.ts";
import { type ChatTerminal, interruptible, TerminalChat } from "./terminal_chat.ts";

/** `svc chat`: a chat in this terminal. */
export function chat(args: readonly string[]): Promise<number> {
  const { err, environment } = thisTerminal();
  return runChatCommand(args, {
    write: print,
    err,
    environment,
    interactive: isConversation(),
    ask: terminalLines().ask,
    readInput: async () => new TextDecoder().decode(await readStandardInput()),
    onInterrupt,
    running: runningApiServers,
    start: ownApiServer("chat"),
    now: () => performance.now(),
  });
}

/** The command's environment; tests can replace all of it. */
export interface ChatHost extends ChatTerminal, Pick<FindChatServerOptions, "fetch" | "running" | "start"> {
  /** Reads all piped input. */
  readonly readInput: () => Promise<string>;
}

/** Runs `svc chat` and returns its exit status: 0 done, 1 failed or cancelled, 2 wrong usage. */
export async function runChatCommand(args: readonly string[], host: ChatHost): Promise<number> {
  const command = readChatCommand(args, host.environment("SVC_API_KEY"));
  if (!command) {
    host.write(`${CHAT_HELP}\n`);
    return 0;
  }
  const once = command.message !== undefined || !host.interactive;
  if (command.json && !once) {
    throw new UsageError("Cannot run svc chat: --json needs a message, pass one after the model or through a pipe");
  }
  const message = once ? await readMessage(command, host) : undefined;
  const { model, url, apiKey } = command;
  const find = { model, url, apiKey, fetch: host.fetch, running: host.running, start: host.start };
  const server = await interruptible(host, (signal) => findChatServer(find, signal));
  try {
    const chat = new TerminalChat(command, server, host);
    if (message === undefined) return await chat.talk();
    return await interruptible(host, (signal) => chat.answerOnce(message, signal));
  } finally {
    await server.close();
  }
}

/** Piped input is read only when the command line has no message: a pipe may stay open forever. */
async function readMessage({ message }: ChatCommand, host: ChatHost): Promise<string> {
  const text = message ?? await host.readInput();
  if (text.trim() !== "") return text;
  throw new UsageError("Cannot run svc chat: no message given, pass one after the model or through a pipe");
}
