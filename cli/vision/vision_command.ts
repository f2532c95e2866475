/**
 * `svc vision`.
 *
 * @module
 */
import { SvcError } from "../../lib/errors/svc_error.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import type { Terminal } from "../../lib/platform/terminal/terminal.ts";
import { runVision } from "./run_vision.ts";
import { readVisionCommand, visionHelp, type VisionWord } from "./vision_flags.ts";

/** The command's environment. */
export interface VisionHost {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Codes that an argument of the command line is the reason for. */
const usageCodes = /^(invalid_(?!output)|missing_field|wrong_type|output_exists|image_not_found|view_count_invalid)/;

/** Runs one of the commands and returns its exit status. */
export async function runVisionCommand(
  word: VisionWord,
  args: readonly string[],
  { terminal, signal }: VisionHost,
): Promise<number> {
  const command = readVisionCommand(word, args);
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
    if (error instanceof SvcError && usageCodes.test(error.code)) throw new UsageError(error.message);
    throw error;
  }
}
