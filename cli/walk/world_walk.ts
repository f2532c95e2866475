import { readVideoFrames } from "../../lib/media/video/read_video_frames.ts";
import { locateModel } from "../../lib/app/world/model_location.ts";
import { DEFAULT_SEED, startPicture } from "../../lib/app/world/start_picture.ts";
import { readModelStart } from "../../lib/world/host/models/model_folder.ts";
import { abortOnShutdown } from "../../lib/platform/processes/shutdown.ts";
import { thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { readUserFile, writeObstacle, writeUserFile } from "../../lib/platform/files/user_files.ts";
import { startOwnServer } from "./own_server.ts";
import { runWalkCommand } from "./walk_command.ts";

/** `svc world walk`: runs the command in this machine's environment. */
export function worldWalk(args: readonly string[]): Promise<number> {
  return runWalkCommand(args, {
    terminal: thisTerminal(),
    files: { read: readUserFile, obstacle: writeObstacle, write: writeUserFile },
    start: async () => await readModelStart(await locateModel({})),
    makePicture: (prompt, { rollout }, signal) =>
      startPicture(prompt, { ...rollout, seed: BigInt(rollout.seed ?? DEFAULT_SEED), signal }),
    readFrames: readVideoFrames,
    signal: abortOnShutdown(),
    now: () => performance.now(),
    startServer: startOwnServer,
  });
}
