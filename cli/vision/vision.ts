import { runVisionCommand } from "./vision_command.ts";
import type { VisionWord } from "./vision_flags.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { abortOnShutdown } from "../../lib/platform/processes/shutdown.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { runCommand } from "../run_command.ts";

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
