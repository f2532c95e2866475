import { flagsHelp, type FlagTable, readFlagsAndWords } from "../../lib/platform/terminal/flags.ts";
import { CATALOG } from "../../lib/store/catalog/catalog.ts";
import { NO_SETTINGS } from "../../lib/store/catalog/runtime_settings.ts";
import { findInstalled, findModel, type ModelHost, oneWord } from "./model_host.ts";
import { catalogLines, modelJson, modelLines } from "./model_report.ts";

const FLAGS = {
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const SHOW = "svc model show";

const SHOW_HELP = `Show all details of a model

Usage: ${SHOW} ID [options]

Options:
${flagsHelp(FLAGS)}`;

/** Runs `svc model show`. */
export async function modelShow(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(SHOW, args, FLAGS);
  if (flags.help) {
    host.terminal.out(SHOW_HELP);
    return 0;
  }
  const name = oneWord(SHOW, words, "id or alias");
  const { id } = await findModel(host, name);
  const entry = CATALOG.find((one) => one.id === id);
  if (entry && !(await host.store.list()).some((one) => one.id === id)) {
    const lines = flags.json ? [JSON.stringify(entry, undefined, 2)] : catalogLines(entry);
    for (const line of lines) host.terminal.out(line);
    return 0;
  }
  const model = await findInstalled(host, "show", name);
  const settings = (await host.store.settings()).get(model.id) ?? NO_SETTINGS;
  const lines = flags.json ? [JSON.stringify(modelJson(model, settings), undefined, 2)] : modelLines(model, settings);
  for (const line of lines) host.terminal.out(line);
  return 0;
}
