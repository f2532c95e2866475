import { type FoundToPull, searchModels } from "../../lib/store/pull_by_name.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords } from "../../lib/platform/terminal/flags.ts";
import { type ModelHost, oneWord } from "./model_host.ts";
import { printable } from "../../lib/platform/terminal/terminal_text.ts";

const COMMAND = "svc model search";

const FLAGS = {
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const HELP = `Search the catalog and the hub for models with ONNX or GGUF weights

Usage: ${COMMAND} WORD [options]

svc model pull installs a result; it reports whether an engine can run it before it downloads weights.

Options:
${flagsHelp(FLAGS)}`;

/** Runs `svc model search`. */
export async function modelSearch(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) {
    host.terminal.out(HELP);
    return 0;
  }
  const found = await searchModels(oneWord(COMMAND, words, "word"), host.terminal.environment, host.signal);
  if (flags.json) host.terminal.out(JSON.stringify(found, undefined, 2));
  else for (const line of hitLines(found)) host.terminal.out(line);
  if (found.hubError !== undefined) host.terminal.err(`svc: These are models of the catalog. ${found.hubError}`);
  return 0;
}

/** A line for each model that can be pulled. */
function hitLines({ catalog, hub }: FoundToPull): string[] {
  const lines = [
    ...catalog.map(({ id, about }) => `svc model pull ${id}  (${about})`),
    ...hub.map(({ name, format, downloads, gated }) =>
      `svc model pull ${name}  (${format}, ${downloads} downloads${gated ? ", gated" : ""})`
    ),
  ];
  return lines.length === 0 ? ["No models found"] : lines.map(printable);
}
