import { diffManifests, type ManifestDiff } from "../../lib/manifest/mod.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { type ManifestHost, readManifest } from "./manifest_host.ts";
import { printable } from "../../lib/platform/terminal/terminal_text.ts";

const COMMAND = "svc manifest diff";

const FLAGS = {
  format: { kind: "choice", choices: ["human", "json"], default: "human", help: "output format" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const HELP =
  `List the changes between two manifests of a provider, which of them are breaking, and the version they require

Usage: ${COMMAND} OLD NEW [options]

OLD and NEW are files; one of them may be - for standard input.

Options:
${flagsHelp(FLAGS)}

Exit status: 0 the new version suffices, 1 it does not or a manifest does not conform, 2 wrong usage or a file that
cannot be read.`;

/** Runs `svc manifest diff`. */
export async function manifestDiff(args: readonly string[], host: ManifestHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) {
    host.terminal.out(HELP);
    return 0;
  }
  const [oldFile, newFile, ...others] = words;
  if (oldFile === undefined || newFile === undefined || others.length > 0) {
    throw new UsageError(`Cannot run ${COMMAND}: ${words.length} files given, expected OLD and NEW`);
  }
  const before = await readManifest(oldFile, "compare", host);
  const after = await readManifest(newFile, "compare", host);
  if (before === undefined || after === undefined) return 1;
  const diff = diffManifests(before, after);
  for (const line of flags.format === "json" ? [inJson(diff)] : inWords(diff)) host.terminal.out(line);
  return diff.enough ? 0 : 1;
}

function inWords({ changes, bump, oldVersion, newVersion, expectedVersion, enough }: ManifestDiff): string[] {
  const lines = changes.map(({ kind, bump, message }) =>
    printable(`${bump.padEnd(6)}${kind === undefined ? "" : `${kind}: `}${message}`)
  );
  if (bump === "none") return [`Nothing changed; the version went from ${oldVersion} to ${newVersion}`];
  const verdict = enough ? "which suffices" : `expected at least ${expectedVersion}`;
  return [...lines, `The version went from ${oldVersion} to ${newVersion}, ${verdict}`];
}

function inJson({ changes, breaking, bump, oldVersion, newVersion, expectedVersion, enough }: ManifestDiff): string {
  const versions = { old_version: oldVersion, new_version: newVersion, expected_version: expectedVersion };
  return JSON.stringify({ changes, breaking, bump, ...versions, enough }, null, 2);
}
