import { startOwnApiServer } from "../model_api/own_api_server.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { runSpeakCommand } from "./speak_command.ts";
import { systemPlayer } from "./system_player.ts";
import { writeObstacle, writeUserFile } from "../../lib/platform/files/user_files.ts";
import { runProcess } from "../../lib/platform/processes/run_process.ts";
import { abortOnShutdown } from "../../lib/platform/processes/shutdown.ts";
import { readPipe, thisTerminal } from "../../lib/platform/terminal/terminal.ts";

/** `svc speak`: speaks a text. */
export function speak(args: readonly string[]): Promise<number> {
  return runSpeakCommand(args, {
    terminal: thisTerminal(),
    installed: () => openModelStore().list(),
    readInput: readPipe,
    obstacle: writeObstacle,
    write: writeUserFile,
    player: () => systemPlayer(runProcess),
    start: startOwnApiServer,
    signal: abortOnShutdown(),
  });
}
