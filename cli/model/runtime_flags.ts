/**
 * The flags of runtime settings.
 *
 * @module
 */
import type { RuntimeSettings } from "../../lib/store/catalog/installed_model.ts";
import { KV_CACHE_MODES } from "../../lib/engines/contract/model_profile.ts";
import { ENGINE_IDS } from "../../lib/engines/contract/engine_ids.ts";
import {
  flagsHelp,
  type FlagTable,
  type FlagValues,
  readFlagsAndWords,
  UsageError,
} from "../../lib/platform/terminal/flags.ts";

const MOST = 2 ** 31 - 1;

const FLAGS = {
  alias: { kind: "string", value: "NAME", help: "set an alias for the model" },
  "clear-alias": { kind: "boolean", help: "remove the alias" },
  pinned: { kind: "boolean", help: "keep the model loaded" },
  unpinned: { kind: "boolean", help: "allow the model to be unloaded" },
  "ttl-seconds": {
    kind: "integer",
    value: "N",
    min: 1,
    max: MOST,
    help: "unload the model after N seconds without a request",
  },
  "clear-ttl": { kind: "boolean", help: "use the default time to live" },
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
  engine: { kind: "choice", choices: ENGINE_IDS.chat, help: "engine that serves the model" },
  "clear-engine": { kind: "boolean", help: "choose the engine by the model's files" },
  "draft-model": { kind: "string", value: "ID", help: "smaller GGUF model of the same vocabulary that drafts answers" },
  "clear-draft-model": { kind: "boolean", help: "generate without drafts" },
  "kv-cache-mode": {
    kind: "choice",
    choices: KV_CACHE_MODES,
    help: "bits of the key-value cache; auto: 2 bits from 1024 tokens on",
  },
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
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
  ["draftModel", "draft-model", "clear-draft-model"],
] as const satisfies readonly (readonly [keyof RuntimeSettings, keyof typeof FLAGS, keyof typeof FLAGS])[];

/** The help of all flags. */
export const RUNTIME_FLAGS_HELP: string = flagsHelp(FLAGS);

/** A command line that changes settings. */
export interface RuntimeCommand {
  readonly help: boolean;
  readonly json: boolean;
  readonly words: readonly string[];
  /**
   * The changes that the flags make; null clears a setting.
   *
   * @throws {UsageError} for flags that exclude each other, and when there is none.
   */
  readonly changes: () => Readonly<Record<string, unknown>>;
}

/**
 * Reads a command line.
 *
 * @param command Its name for errors.
 */
export function readRuntimeCommand(command: string, args: readonly string[]): RuntimeCommand {
  const { flags, words } = readFlagsAndWords(command, args, FLAGS);
  return { help: flags.help, json: flags.json, words, changes: () => readChanges(command, flags) };
}

function readChanges(command: string, flags: FlagValues<typeof FLAGS>): Readonly<Record<string, unknown>> {
  const changes: Record<string, unknown> = {};
  for (const [key, give, clear] of pairs) {
    const given = flags[give] !== undefined && flags[give] !== false;
    if (given && flags[clear]) {
      throw new UsageError(`Cannot run ${command}: --${give} and --${clear} exclude each other, expected one of them`);
    }
    if (given) changes[key] = flags[give];
    if (flags[clear]) changes[key] = null;
  }
  if (flags["kv-cache-mode"] !== undefined) changes.kvCacheMode = flags["kv-cache-mode"];
  if (Object.keys(changes).length > 0) return changes;
  throw new UsageError(`Cannot run ${command}: no setting given, expected at least one, see ${command} --help`);
}
