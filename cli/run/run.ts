import { print } from "../../lib/platform/processes/run_main.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { runCommand } from "../run_command.ts";
import { runList } from "./run_list.ts";

/** `svc run`: the records that a model API server has kept. */
export function run(args: readonly string[]): Promise<number> {
  const help = "Records of image and transcription operations";
  const commands = { list: { help: "list records, the newest first", run: runList } };
  return runCommand({ name: "svc run", help, commands, version: VERSION, print }, args);
}
