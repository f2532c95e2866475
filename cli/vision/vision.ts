import { readVisionCommand, visionHelp, type VisionWord } from "./vision_flags.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { abortOnShutdown } from "../../lib/platform/processes/shutdown.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { type Terminal, thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { runCommand } from "../run_command.ts";
import { ApiError } from "../model_api/api_client.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";
import { commandLineMessage, UsageError } from "../../lib/platform/terminal/flags.ts";
import { runVision } from "./run_vision.ts";

/** `svc vision`: geometry, depth and objects. */
export function vision(args: readonly string[]): Promise<number> {
  const command = (word: VisionWord, help: string) => ({
    help,
    run: (rest: readonly string[]) =>
      runVisionCommand(word, rest, { terminal: thisTerminal(), signal: abortOnShutdown() }),
  });
  return runCommand({
    name: "svc vision",
    help: "Geometry, depth and objects",
    version: VERSION,
    print,
    commands: {
      geometry: command("geometry", "depth, normals and points of an image"),
      multiview: command("multiview", "depth, cameras and points of several views"),
      "image-to-3d": command("image-to-3d", "a mesh of the object in one image, or in four or six views"),
      "depth-video": command("depth-video", "the depth of every frame of a video"),
    },
  }, args);
}

/** The command's environment. */
interface VisionHost {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Codes that an argument of the command line is the reason for. */
const usageCodes = /^(invalid_(?!output)|missing_field|wrong_type|output_exists|image_not_found|view_count_invalid)/;

/** Runs one of the commands and returns its exit status. */
async function runVisionCommand(
  word: VisionWord,
  args: readonly string[],
  { terminal, signal }: VisionHost,
): Promise<number> {
  const command = readVisionCommand(word, args, terminal.environment("SVC_API_KEY"));
  if (!command) {
    terminal.out(visionHelp(word));
    return 0;
  }
  let last = "";
  const progress = (fraction: number, stage: string) => {
    const line = `${Math.round(100 * fraction)} % ${stage}`;
    if (terminal.interactive && line !== last) terminal.err(line);
    last = line;
  };
  try {
    const { answer, page, files } = await runVision(command, { notify: terminal.err, progress }, signal);
    if (command.json) terminal.out(JSON.stringify(answer));
    else terminal.out(`Wrote ${files.length} files; open ${page}`);
    return 0;
  } catch (error) {
    if ((error instanceof SvcError || error instanceof ApiError) && usageCodes.test(error.code)) {
      throw new UsageError(commandLineMessage(error));
    }
    throw error;
  }
}
