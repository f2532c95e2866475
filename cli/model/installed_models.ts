import { CATALOG } from "../../lib/store/catalog/catalog.ts";
import { measureMemory, memoryFit } from "../../lib/store/free_space.ts";
import {
  catalogLines,
  foundLines,
  listLines,
  listModels,
  modelJson,
  modelLines,
  paintListLine,
  worldLines,
} from "./model_report.ts";
import {
  flagsHelp,
  type FlagTable,
  readFlags,
  readFlagsAndWords,
  UsageError,
} from "../../lib/platform/terminal/flags.ts";
import { pulledWorld, pulledWorlds, removeWorld } from "../../lib/store/worlds/world_catalog.ts";
import { closestModel } from "../../lib/store/catalog/resolve_model.ts";
import { findInstalled, findModel, type ModelHost, oneWord } from "./model_host.ts";
import { NO_SETTINGS } from "../../lib/store/catalog/runtime_settings.ts";
import { verifyModel } from "../../lib/store/verify_model.ts";
import { printable } from "../../lib/platform/terminal/terminal_text.ts";
import { removeModel } from "../../lib/store/staging.ts";

const LIST = "svc model list";

const LIST_FLAGS = {
  found: { kind: "boolean", help: "list models of the hub's cache, Ollama and LM Studio that can be used in place" },
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const LIST_HELP = `List installed models and models to pull

Usage: ${LIST} [options]

SVC_MODELS_DIR overrides the folder of the store; --json shows which one is used. MEMORY shows whether
a model fits this machine, is tight (other programs have to free memory) or is too large.

Options:
${flagsHelp(LIST_FLAGS)}`;

/** Runs `svc model list`. */
export async function modelList(args: readonly string[], host: ModelHost): Promise<number> {
  const flags = readFlags(LIST, args, LIST_FLAGS);
  if (flags.help) {
    host.terminal.out(LIST_HELP);
    return 0;
  }
  if (flags.found) return await listFound(host, flags.json);
  const { models, broken } = await host.store.contents();
  const memory = await measureMemory();
  const listed = listModels(models, broken, CATALOG, await host.store.settings(), (bytes) => memoryFit(bytes, memory));
  if (flags.json) {
    const { folder } = host.store.layout;
    const worlds = await pulledWorlds(host.store.layout);
    host.terminal.out(JSON.stringify({ folder, models: listed, worlds }, undefined, 2));
    return 0;
  }
  for (const line of listLines(listed)) host.terminal.out(line, paintListLine);
  for (const line of worldLines(await pulledWorlds(host.store.layout))) host.terminal.out(line);
  for (const { problem } of broken) host.terminal.err(problem);
  return 0;
}

async function listFound({ terminal, store }: ModelHost, json: boolean): Promise<number> {
  // It reads files of models, which no other list does.
  const { findModels } = await import("../../lib/store/found/find_models.ts");
  const memory = await measureMemory();
  const found = (await findModels(terminal.environment, await store.list())).map((one) =>
    one.bytes === undefined ? one : { ...one, memory: memoryFit(one.bytes, memory) }
  );
  if (json) terminal.out(JSON.stringify({ found }, undefined, 2));
  else for (const line of foundLines(found)) terminal.out(line);
  return 0;
}

const SHOW_FLAGS = {
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const SHOW = "svc model show";

const SHOW_HELP = `Show all details of a model

Usage: ${SHOW} ID [options]

Options:
${flagsHelp(SHOW_FLAGS)}`;

/** Runs `svc model show`. */
export async function modelShow(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(SHOW, args, SHOW_FLAGS);
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

const VERIFY = "svc model verify";

const VERIFY_FLAGS = { help: { kind: "boolean", help: "show this help" } } as const satisfies FlagTable;

const VERIFY_HELP = `Compare the files of models with the sizes and SHA-256 hashes recorded at installation

Usage: ${VERIFY} [ID...]

Without an ID all models are checked.

Options:
${flagsHelp(VERIFY_FLAGS)}

Exit status: 0 if all files are unchanged, else 1.`;

/** Runs `svc model verify`. */
export async function modelVerify(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(VERIFY, args, VERIFY_FLAGS);
  if (flags.help) {
    host.terminal.out(VERIFY_HELP);
    return 0;
  }
  const { models, broken } = await host.store.contents();
  const named = await Promise.all(words.map((word) => findInstalled(host, "verify", word)));
  const unreadable = words.length > 0 ? [] : broken;
  for (const { problem } of unreadable) host.terminal.err(problem);
  let wrong = unreadable.length;
  for (const model of words.length > 0 ? named : models) {
    const view = await host.progress();
    const problems = await verifyModel(model, view.update, host.signal).finally(() => view.stop());
    if (problems.length === 0) host.terminal.out(`${model.id}: all ${model.files.length} files are unchanged`);
    for (const problem of problems) host.terminal.err(`${model.id}: ${printable(problem)}`);
    wrong += problems.length;
  }
  return wrong === 0 ? 0 : 1;
}

const REMOVE = "svc model rm";

const REMOVE_FLAGS = {
  yes: { kind: "boolean", help: "do not ask for confirmation" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const REMOVE_HELP = `Remove a model and its settings from the store

Usage: ${REMOVE} ID [options]

Files that were added with --link stay where they are.

Options:
${flagsHelp(REMOVE_FLAGS)}`;

/** Runs `svc model rm`. */
export async function modelRm(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(REMOVE, args, REMOVE_FLAGS);
  if (flags.help) {
    host.terminal.out(REMOVE_HELP);
    return 0;
  }
  const word = oneWord(REMOVE, words, "id or alias");
  const world = await pulledWorld(host.store.layout, word);
  const { id } = world ?? await findModel(host, word);
  const { models, broken } = await host.store.contents();
  if (!world && ![...models, ...broken].some((one) => one.id === id)) {
    const meant = closestModel([...models, ...broken], await host.store.settings(), word);
    const remedy = meant ? `did you mean ${meant}?` : "see svc model list";
    throw new UsageError(`Cannot remove ${JSON.stringify(id)}: no installed model has this name, ${remedy}`);
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
