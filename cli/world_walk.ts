import { readVideoFrames } from "../lib/media/read_video_frames.ts";
import { locateModel } from "../lib/runtime/model_location.ts";
import { readModelStart } from "../lib/runtime/model_start.ts";
import { abortOnShutdown } from "../lib/runtime/shutdown_abort.ts";
import { thisTerminal } from "../lib/runtime/terminal.ts";
import { readUserFile, writeObstacle, writeUserFile } from "../lib/runtime/user_files.ts";
import { startOwnServer } from "./own_server.ts";
import { runWalkCommand } from "./walk_command.ts";

/** `svc world walk`: walks with what this machine has. */
export function worldWalk(args: readonly string[]): Promise<number> {
  return runWalkCommand(args, {
    terminal: thisTerminal(),
    files: { read: readUserFile, obstacle: writeObstacle, write: writeUserFile },
    start: async () => await readModelStart(await locateModel({})),
    readFrames: readVideoFrames,
    signal: abortOnShutdown(),
    now: () => performance.now(),
    startServer: startOwnServer,
  });
}
