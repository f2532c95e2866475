import { onInterrupt } from "../../lib/platform/processes/shutdown.ts";
import { terminalLines } from "../../lib/platform/terminal/line_reader.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { isConversation, readStandardInput, thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { runChatCommand } from "./chat_command.ts";
import { startOwnApiServer } from "../model_api/own_api_server.ts";

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
    start: startOwnApiServer,
    now: () => performance.now(),
  });
}
