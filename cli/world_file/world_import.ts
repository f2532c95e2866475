import { importWorld } from "../../lib/world/host/world_file/import_world.ts";
import { sessionDirectory } from "../../lib/platform/files/app_directory.ts";
import { resolve } from "../../lib/platform/files/paths.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";

const NAME = "svc world import";

const FLAGS = {
  "state-directory": { kind: "string", value: "DIR", help: "folder of the worlds, as given to svc world serve" },
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** `svc world import`. */
export async function worldImport(args: readonly string[]): Promise<number> {
  const { flags, words } = readFlagsAndWords(NAME, args, FLAGS);
  if (flags.help) {
    print(
      `Import a world from a file of svc world export; a server shows it after its next start\n\nUsage: ${NAME} FILE.svcw [options]\n\n${
        flagsHelp(FLAGS)
      }\n`,
    );
    return 0;
  }
  const [source] = words;
  if (source === undefined || words.length > 1) throw new UsageError(`Cannot run ${NAME}: expected ${NAME} FILE.svcw`);
  const world = await importWorld(sessionDirectory(flags["state-directory"]), resolve(source));
  print(
    flags.json
      ? `${JSON.stringify(world)}\n`
      : `World ${world.world_id}: ${world.files} files, at /worlds/${world.world_id}/\n`,
  );
  return 0;
}
