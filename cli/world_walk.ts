import { readVideoFrames } from "../lib/media/read_video_frames.ts";
import { locateModel } from "../lib/runtime/model_location.ts";
import { readModelStart } from "../lib/runtime/model_start.ts";
import { abortOnShutdown } from "../lib/runtime/shutdown_abort.ts";
import { makeTemporaryDirectory } from "../lib/runtime/temporary_directory.ts";
import { thisTerminal } from "../lib/runtime/terminal.ts";
import { readUserFile, writeObstacle, writeUserFile } from "../lib/runtime/user_files.ts";
import { startWorldServer } from "../servers/start_world_server.ts";
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

/** A server for one walk: any free port, files that go with it, no log. */
async function startOwnServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const state = await makeTemporaryDirectory();
  try {
    const server = await startWorldServer({ stateDirectory: state.path, port: 0, log: () => {} });
    return { url: server.url, close: () => server.close().finally(state.remove) };
  } catch (error) {
    await state.remove();
    throw error;
  }
}
