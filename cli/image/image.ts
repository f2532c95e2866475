import { startOwnApiServer } from "../model_api/own_api_server.ts";
import { runImageCommand } from "./image_command.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { withImageModel } from "../../lib/app/models/embedded_models.ts";
import { readUserFile, writeObstacle, writeUserFile } from "../../lib/platform/files/user_files.ts";
import { abortOnShutdown } from "../../lib/platform/processes/shutdown.ts";
import { thisTerminal } from "../../lib/platform/terminal/terminal.ts";

/** `svc image`: makes or edits an image. */
export function image(args: readonly string[]): Promise<number> {
  return runImageCommand(args, {
    terminal: thisTerminal(),
    installed: () => withImageModel(openModelStore()),
    read: readUserFile,
    obstacle: writeObstacle,
    write: writeUserFile,
    start: startOwnApiServer,
    signal: abortOnShutdown(),
  });
}
