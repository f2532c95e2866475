import { NO_SETTINGS } from "../../lib/store/catalog/runtime_settings.ts";
import { printSettings } from "./model_report.ts";
import { readRuntimeCommand, RUNTIME_FLAGS_HELP } from "./runtime_flags.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords } from "../../lib/platform/terminal/flags.ts";
import { runCommand } from "../run_command.ts";
import { findModel, type ModelHost, oneWord, unknownModel } from "./model_host.ts";

const GET = "svc model runtime get";
const SET = "svc model runtime set";

const GET_FLAGS = {
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const GET_HELP = `Print the runtime settings of a model

Usage: ${GET} ID [options]

Options:
${flagsHelp(GET_FLAGS)}`;

const SET_HELP = `Change runtime settings of a model; other settings stay unchanged

Usage: ${SET} ID [options]

A running server applies them from the next request on. Models other than chat models have only --pinned and
--ttl-seconds.

Options:
${RUNTIME_FLAGS_HELP}`;

/** Runs `svc model runtime`. */
export function modelRuntime(args: readonly string[], host: ModelHost, version: string): Promise<number> {
  return runCommand({
    name: "svc model runtime",
    help: "Runtime settings of models",
    version,
    print: host.print,
    commands: {
      get: { help: "print the settings", run: (rest) => modelRuntimeGet(rest, host) },
      set: { help: "change settings", run: (rest) => modelRuntimeSet(rest, host) },
    },
  }, args);
}

async function modelRuntimeGet(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(GET, args, GET_FLAGS);
  if (flags.help) {
    host.terminal.out(GET_HELP);
    return 0;
  }
  const id = await knownId(host, oneWord(GET, words, "id or alias"));
  printSettings(host.terminal, id, (await host.store.settings()).get(id) ?? NO_SETTINGS, flags.json);
  return 0;
}

async function modelRuntimeSet(args: readonly string[], host: ModelHost): Promise<number> {
  const given = readRuntimeCommand(SET, args);
  if (given.help) {
    host.terminal.out(SET_HELP);
    return 0;
  }
  const name = oneWord(SET, given.words, "id or alias");
  const changes = given.changes();
  const id = await knownId(host, name);
  const settings = await host.store.updateSettings(id, (stored) => ({ ...stored, ...changes }));
  printSettings(host.terminal, id, settings, given.json);
  return 0;
}

/** Settings can be made before a catalog model is installed. */
async function knownId(host: ModelHost, name: string): Promise<string> {
  const { id, model } = await findModel(host, name);
  if (model || host.store.known.includes(id)) return id;
  throw await unknownModel(host, name);
}
