import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { removeModel } from "../../lib/store/staging.ts";
import { pulledWorld, removeWorld } from "../../lib/store/worlds/pulled_worlds.ts";
import { findModel, type ModelHost, oneWord } from "./model_host.ts";

const COMMAND = "svc model rm";

const FLAGS = {
  yes: { kind: "boolean", help: "do not ask for confirmation" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const HELP = `Remove a model and its settings from the store

Usage: ${COMMAND} ID [options]

Files that were added with --link stay where they are.

Options:
${flagsHelp(FLAGS)}`;

/** Runs `svc model rm`. */
export async function modelRm(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) {
    host.terminal.out(HELP);
    return 0;
  }
  const word = oneWord(COMMAND, words, "id or alias");
  const world = await pulledWorld(host.store.layout, word);
  const { id } = world ?? await findModel(host, word);
  const { models, broken } = await host.store.contents();
  if (!world && ![...models, ...broken].some((one) => one.id === id)) {
    throw new UsageError(`Cannot remove ${JSON.stringify(id)}: no installed model has this name, see svc model list`);
  }
  if (!flags.yes) {
    const answer = await host.confirm(`Remove ${id}?`);
    if (answer === undefined) {
      throw new UsageError(`Cannot remove ${id}: the terminal is not interactive, expected --yes`);
    }
    if (!answer) {
      host.terminal.err(`Kept ${id}`);
      return 1;
    }
  }
  await (world ? removeWorld(world) : removeModel(host.store, id));
  host.terminal.out(`Removed ${id}`);
  return 0;
}
