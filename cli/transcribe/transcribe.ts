import { startOwnApiServer } from "../model_api/own_api_server.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { runTranscribeCommand } from "./transcribe_command.ts";
import { readUserFile, writeObstacle, writeUserFile } from "../../lib/platform/files/user_files.ts";
import { abortOnShutdown } from "../../lib/platform/processes/shutdown.ts";
import { thisTerminal } from "../../lib/platform/terminal/terminal.ts";

/** `svc transcribe`: writes down a recording. */
export function transcribe(args: readonly string[]): Promise<number> {
  return runTranscribeCommand(args, {
    terminal: thisTerminal(),
    installed: () => openModelStore().list(),
    read: readUserFile,
    obstacle: writeObstacle,
    write: writeUserFile,
    start: startOwnApiServer,
    signal: abortOnShutdown(),
  });
}
