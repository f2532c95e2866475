import { onInterrupt } from "../lib/runtime/interrupts.ts";
import { terminalLines } from "../lib/runtime/line_reader.ts";
import { print } from "../lib/runtime/run_main.ts";
import { readStandardInput } from "../lib/runtime/standard_input.ts";
import { isConversation, thisTerminal } from "../lib/runtime/terminal.ts";
import { runChatCommand } from "./chat_command.ts";
import { startOwnApiServer } from "./own_api_server.ts";

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
