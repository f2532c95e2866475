import { brokerFlags, readBroker } from "../../servers/flags/fleet_flags.ts";
import { thisPlatform } from "../../lib/platform/files/folders/app_directory.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords } from "../../lib/platform/terminal/flags.ts";

type Switch = { readonly kind: "boolean"; readonly help: string };

/** The flags of every command of `svc cluster`. */
export const SHARED: typeof brokerFlags & { readonly json: Switch; readonly help: Switch } = {
  ...brokerFlags,
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
};

/** What a command does: returns what it prints. */
type Work = (
  broker: ReturnType<typeof readBroker>,
  json: boolean,
  words: readonly string[],
) => Promise<string | object>;

/** Runs a command of `svc cluster`: reads its flags, prints what it says. */
export async function runCluster(
  word: string,
  about: string,
  args: readonly string[],
  work: Work,
  usage = "",
  table: FlagTable = SHARED,
): Promise<number> {
  const name = `svc cluster ${word}`;
  const { flags, words } = readFlagsAndWords(name, args, table as typeof SHARED);
  if (flags.help) {
    print(`${about}\n\nUsage: ${name} ${usage}--join URL [flags]\n\n${flagsHelp(table)}\n`);
    return 0;
  }
  const shown = await work(readBroker(name, flags, thisPlatform().env), flags.json, words);
  print(typeof shown === "string" ? shown : `${JSON.stringify(shown)}\n`);
  return 0;
}
