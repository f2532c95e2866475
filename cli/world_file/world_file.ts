import { exportWorld } from "../../lib/world/host/world_file/export_world.ts";
import { sessionDirectory } from "../../lib/platform/files/app_directory.ts";
import { resolve } from "../../lib/platform/files/paths.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { importWorld } from "../../lib/world/host/world_file/import_world.ts";

const EXPORT = "svc world export";

const FLAGS = {
  "state-directory": { kind: "string", value: "DIR", help: "folder of the worlds, as given to svc world serve" },
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** `svc world export`. */
export async function worldExport(args: readonly string[]): Promise<number> {
  const { flags, words } = readFlagsAndWords(EXPORT, args, FLAGS);
  if (flags.help) {
    print(
      `Write a world into one file, with its map, checkpoints, pictures and videos\n\nUsage: ${EXPORT} [ID] FILE.svcw [options]\n\n${
        flagsHelp(FLAGS)
      }\n`,
    );
    return 0;
  }
  const [id, target] = words.length === 1 ? ["default", words[0]] : words;
  if (target === undefined || words.length > 2) {
    throw new UsageError(`Cannot run ${EXPORT}: expected ${EXPORT} [ID] FILE.svcw`);
  }
  const world = await exportWorld(sessionDirectory(flags["state-directory"]), id, resolve(target));
  print(
    flags.json
      ? `${JSON.stringify(world)}\n`
      : `World ${world.world_id}: ${world.files} files, ${world.bytes} bytes in ${target}\n`,
  );
  return 0;
}

const IMPORT = "svc world import";

/** `svc world import`. */
export async function worldImport(args: readonly string[]): Promise<number> {
  const { flags, words } = readFlagsAndWords(IMPORT, args, FLAGS);
  if (flags.help) {
    print(
      `Import a world from a file of svc world export; a server shows it after its next start\n\nUsage: ${IMPORT} FILE.svcw [options]\n\n${
        flagsHelp(FLAGS)
      }\n`,
    );
    return 0;
  }
  const [source] = words;
  if (source === undefined || words.length > 1) {
    throw new UsageError(`Cannot run ${IMPORT}: expected ${IMPORT} FILE.svcw`);
  }
  const world = await importWorld(sessionDirectory(flags["state-directory"]), resolve(source));
  print(
    flags.json
      ? `${JSON.stringify(world)}\n`
      : `World ${world.world_id}: ${world.files} files, at /worlds/${world.world_id}/\n`,
  );
  return 0;
}
