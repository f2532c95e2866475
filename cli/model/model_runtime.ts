import {
  flagsHelp,
  type FlagTable,
  type FlagValues,
  readFlagsAndWords,
  UsageError,
} from "../../lib/platform/terminal/flags.ts";
import { ENGINES } from "../../lib/engines/files/model_profile.ts";
import type { RuntimeSettings } from "../../lib/api/store/installed_model.ts";
import { KV_CACHE_MODES, NO_SETTINGS, settingsJson } from "../../lib/api/store/runtime_settings.ts";
import { findModel, type ModelHost, oneWord } from "./model_host.ts";
import { runCommand } from "../run_command.ts";

const GET = "svc model runtime get";
const SET = "svc model runtime set";
const MOST = 2 ** 31 - 1;

const GET_FLAGS = {
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const SET_FLAGS = {
  alias: { kind: "string", value: "NAME", help: "set another name for the model" },
  "clear-alias": { kind: "boolean", help: "remove the other name" },
  pinned: { kind: "boolean", help: "keep the model loaded" },
  unpinned: { kind: "boolean", help: "allow the model to be unloaded" },
  "ttl-seconds": {
    kind: "integer",
    value: "N",
    min: 1,
    max: MOST,
    help: "unload the model after N seconds without a request",
  },
  "clear-ttl": { kind: "boolean", help: "use the default time" },
  "max-context-tokens": {
    kind: "integer",
    value: "N",
    min: 1,
    max: MOST,
    help: "maximum number of tokens of prompt and answer together",
  },
  "clear-max-context-tokens": { kind: "boolean", help: "use the server's limit" },
  "max-tokens": { kind: "integer", value: "N", min: 1, max: MOST, help: "default number of tokens of an answer" },
  "clear-max-tokens": { kind: "boolean", help: "use the default number" },
  temperature: { kind: "number", value: "X", min: 0, max: 2, help: "default temperature" },
  "clear-temperature": { kind: "boolean", help: "use the model's own" },
  "top-p": { kind: "number", value: "X", min: 0, max: 1, help: "default top-p" },
  "clear-top-p": { kind: "boolean", help: "use the model's own" },
  "min-p": { kind: "number", value: "X", min: 0, max: 1, help: "default min-p" },
  "clear-min-p": { kind: "boolean", help: "use the model's own" },
  engine: { kind: "choice", choices: ENGINES, help: "engine that serves the model" },
  "clear-engine": { kind: "boolean", help: "choose the engine by the model's files" },
  "kv-cache-mode": {
    kind: "choice",
    choices: KV_CACHE_MODES,
    help: "bits of the key-value cache; auto: 2 from 1024 tokens on",
  },
  ...GET_FLAGS,
} as const satisfies FlagTable;

/** Each setting with the flag that sets it and the flag that clears it. */
const pairs = [
  ["alias", "alias", "clear-alias"],
  ["pinned", "pinned", "unpinned"],
  ["ttlSeconds", "ttl-seconds", "clear-ttl"],
  ["maxContextTokens", "max-context-tokens", "clear-max-context-tokens"],
  ["maxTokens", "max-tokens", "clear-max-tokens"],
  ["temperature", "temperature", "clear-temperature"],
  ["topP", "top-p", "clear-top-p"],
  ["minP", "min-p", "clear-min-p"],
  ["engineOverride", "engine", "clear-engine"],
] as const satisfies readonly (readonly [keyof RuntimeSettings, keyof typeof SET_FLAGS, keyof typeof SET_FLAGS])[];

const GET_HELP = `Print the runtime settings of a model

Usage: ${GET} ID [options]

Options:
${flagsHelp(GET_FLAGS)}`;

const SET_HELP = `Change runtime settings of a model; other settings stay unchanged

Usage: ${SET} ID [options]

A running server applies them from the next request on. Only --pinned and --ttl-seconds apply to models without chat.

Options:
${flagsHelp(SET_FLAGS)}`;

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
  tell(host, id, (await host.store.settings()).get(id) ?? NO_SETTINGS, flags.json);
  return 0;
}

async function modelRuntimeSet(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(SET, args, SET_FLAGS);
  if (flags.help) {
    host.terminal.out(SET_HELP);
    return 0;
  }
  const name = oneWord(SET, words, "id or alias");
  const changes = readChanges(flags);
  const id = await knownId(host, name);
  const settings = await host.store.updateSettings(id, (stored) => ({ ...stored, ...changes }));
  tell(host, id, settings, flags.json);
  return 0;
}

/** The changes that the flags make; null clears a setting. */
function readChanges(flags: FlagValues<typeof SET_FLAGS>): Readonly<Record<string, unknown>> {
  const changes: Record<string, unknown> = {};
  for (const [key, give, clear] of pairs) {
    const given = flags[give] !== undefined && flags[give] !== false;
    if (given && flags[clear]) {
      throw new UsageError(`Cannot run ${SET}: --${give} and --${clear} exclude each other, expected one of them`);
    }
    if (given) changes[key] = flags[give];
    if (flags[clear]) changes[key] = null;
  }
  if (flags["kv-cache-mode"] !== undefined) changes.kvCacheMode = flags["kv-cache-mode"];
  if (Object.keys(changes).length > 0) return changes;
  throw new UsageError(`Cannot run ${SET}: no setting given, expected at least one, see ${SET} --help`);
}

/** Settings can be made before a catalog model is installed. */
async function knownId(host: ModelHost, name: string): Promise<string> {
  const { id, model } = await findModel(host, name);
  if (model || host.store.known.includes(id)) return id;
  throw new UsageError(`Cannot find the model ${JSON.stringify(name)}: see svc model list`);
}

function tell(host: ModelHost, id: string, settings: RuntimeSettings, json: boolean): void {
  const stored = settingsJson(settings);
  if (json) host.terminal.out(JSON.stringify({ id, settings: stored }, undefined, 2));
  else for (const [key, value] of Object.entries(stored)) host.terminal.out(`${key.padEnd(18)}${value}`);
}
