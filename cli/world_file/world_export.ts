import { exportWorld } from "../../lib/world/host/world_file/export_world.ts";
import { sessionDirectory } from "../../lib/platform/files/app_directory.ts";
import { resolve } from "../../lib/platform/files/paths.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";

const NAME = "svc world export";

const FLAGS = {
  "state-directory": { kind: "string", value: "DIR", help: "folder of the worlds, as given to svc world serve" },
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** `svc world export`. */
export async function worldExport(args: readonly string[]): Promise<number> {
  const { flags, words } = readFlagsAndWords(NAME, args, FLAGS);
  if (flags.help) {
    print(
      `Write a world into one file, with its map, checkpoints, pictures and videos\n\nUsage: ${NAME} [ID] FILE.svcw [options]\n\n${
        flagsHelp(FLAGS)
      }\n`,
    );
    return 0;
  }
  const [id, target] = words.length === 1 ? ["default", words[0]] : words;
  if (target === undefined || words.length > 2) {
    throw new UsageError(`Cannot run ${NAME}: expected ${NAME} [ID] FILE.svcw`);
  }
  const world = await exportWorld(sessionDirectory(flags["state-directory"]), id, resolve(target));
  print(
    flags.json
      ? `${JSON.stringify(world)}\n`
      : `World ${world.world_id}: ${world.files} files, ${world.bytes} bytes in ${target}\n`,
  );
  return 0;
}
