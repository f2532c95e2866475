import { CATALOG } from "../../lib/store/catalog/catalog.ts";
import { findModels } from "../../lib/store/found/find_models.ts";
import { measureMemory, memoryFit } from "../../lib/store/memory_fit.ts";
import { foundLines } from "./found_report.ts";
import { listLines, listModels } from "./model_report.ts";
import { flagsHelp, type FlagTable, readFlags } from "../../lib/platform/terminal/flags.ts";
import { worldLines } from "./world_lines.ts";
import { pulledWorlds } from "../../lib/store/worlds/pulled_worlds.ts";
import type { ModelHost } from "./model_host.ts";

const COMMAND = "svc model list";

const FLAGS = {
  found: { kind: "boolean", help: "models of the hub's cache, Ollama and LM Studio that can be used in place" },
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const HELP = `List installed models and models to pull

Usage: ${COMMAND} [options]

SVC_MODELS_DIR overrides the folder of the store; --json shows which one is used. MEMORY says what this machine makes of
a model: it fits, it is tight (other programs have to make room), or it is too large.

Options:
${flagsHelp(FLAGS)}`;

/** Runs `svc model list`. */
export async function modelList(args: readonly string[], host: ModelHost): Promise<number> {
  const flags = readFlags(COMMAND, args, FLAGS);
  if (flags.help) {
    host.terminal.out(HELP);
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
  for (const line of listLines(listed)) host.terminal.out(line);
  for (const line of worldLines(await pulledWorlds(host.store.layout))) host.terminal.out(line);
  for (const { problem } of broken) host.terminal.err(problem);
  return 0;
}

async function listFound({ terminal, store }: ModelHost, json: boolean): Promise<number> {
  const memory = await measureMemory();
  const found = (await findModels(terminal.environment, await store.list())).map((one) =>
    one.bytes === undefined ? one : { ...one, memory: memoryFit(one.bytes, memory) }
  );
  if (json) terminal.out(JSON.stringify({ found }, undefined, 2));
  else for (const line of foundLines(found)) terminal.out(line);
  return 0;
}
