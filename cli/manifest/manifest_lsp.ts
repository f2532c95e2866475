import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import type { ManifestHost } from "./manifest_host.ts";

const COMMAND = "svc manifest lsp";

const FLAGS = {
  stdio: { kind: "boolean", help: "communicate over standard input and output (the only transport)" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const HELP = `Serve an editor: findings as you type, completion, descriptions, corrections of misspelled names

Usage: ${COMMAND}

It speaks the Language Server Protocol over standard input and output. docs/manifest.md shows how editors start it.

Options:
${flagsHelp(FLAGS)}`;

/** Runs `svc manifest lsp`; the editor ends it. */
export async function manifestLsp(args: readonly string[], { terminal }: ManifestHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) {
    terminal.out(HELP);
    return 0;
  }
  if (words.length > 0) throw new UsageError(`Cannot run ${COMMAND}: it takes no words, found ${words[0]}`);
  (await import("../../lib/manifest/server/serve_manifests.ts")).serveManifests();
  return await new Promise(() => {});
}
